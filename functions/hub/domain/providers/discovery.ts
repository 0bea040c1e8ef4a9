import * as z from 'zod';
import { applicationToken, forgetApplicationToken } from './application-token.ts';
import { callProvider, type ProviderCall } from './call-provider.ts';
import { secretOf } from './client-secret.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { json } from './request-body.ts';
import { requireShape } from './shaped.ts';

/** A CPF of eleven digits or a CNPJ of fourteen characters. */
export type Identifier = { readonly type: 'CPF' | 'CNPJ'; readonly value: string };

const Discovered = z.object({ status: z.string().regex(/^[SN]$/i) });

/**
 * Whether a provider says that it holds a certificate of this person or company. Throws ProviderFailure where it
 * cannot be asked or does not answer.
 */
export const holdsCertificate = (provider: Provider, identifier: Identifier): Promise<boolean> =>
  discover(provider, identifier, (answer) => isHeld(provider, answer));

/** What the answer to a discovery says. */
export function isHeld(provider: Provider, answer: unknown): boolean {
  const { status } = requireShape(Discovered, answer, { provider, operation: 'discovery' });
  return status.toUpperCase() === 'S';
}

/** The same question, for whoever wants more of the answer. */
export async function discover<T>(
  provider: Provider,
  identifier: Identifier,
  read: ProviderCall<T>['read'],
): Promise<T> {
  if (provider.discovery === 'none')
    throw new ProviderFailure('refused', provider.name, `${provider.name} has no discovery.`);
  if (provider.discovery === 'client')
    return ask(provider, identifier, { proof: { client_secret: secretOf(provider) }, read });
  // A token that must be asked for first is part of the question, and of its time.
  const sinceMs = performance.now();
  const bearer = await applicationToken(provider, sinceMs);
  try {
    return await ask(provider, identifier, { bearer, read, sinceMs });
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.reason === 'token-rejected')) throw error;
    // It ended before its time. One more try, with another.
    forgetApplicationToken(provider, bearer);
    return ask(provider, identifier, { bearer: await applicationToken(provider, sinceMs), read, sinceMs });
  }
}

type Asking<T> = Pick<ProviderCall<T>, 'bearer' | 'read' | 'sinceMs'> & {
  readonly proof?: Readonly<Record<string, string>>;
};

const ask = <T>(
  provider: Provider,
  { type, value }: Identifier,
  { proof, bearer, read, sinceMs }: Asking<T>,
): Promise<T> =>
  callProvider(provider, {
    operation: 'discovery',
    method: 'POST',
    path: '/user-discovery',
    bearer,
    body: json({ client_id: provider.clientId, ...proof, user_cpf_cnpj: type, val_cpf_cnpj: value }),
    read,
    sinceMs,
  });
