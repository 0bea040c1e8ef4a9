import * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Identifier } from '../identifier.ts';
import { requireShape } from './answer.ts';
import { callProvider, type ProviderCall } from './call-provider.ts';
import { secretOf } from './client-secret.ts';
import { AccessToken, Seconds } from './exchange-code.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import { json, tokenBodyOf } from './request-body.ts';

type Owner = Pick<Caller, 'application'>;

const Discovered = z.object({ status: z.string().regex(/^[SN]$/i) });

/** Whether a provider holds a certificate of this person or company. Throws ProviderFailure. */
export const holdsCertificate = (
  caller: Owner,
  provider: Provider,
  identifier: Identifier,
  now: () => number,
): Promise<boolean> =>
  discover(caller, provider, { identifier, read: (answer) => isHeld(provider, answer) }, now);

/** Reads the answer to a discovery. */
export function isHeld(provider: Provider, answer: unknown): boolean {
  const { status } = requireShape(Discovered, answer, { provider, operation: 'discovery' });
  return status.toUpperCase() === 'S';
}

type DiscoverRequest<T> = Pick<ProviderCall<T>, 'read'> & { readonly identifier: Identifier };

/** Asks a provider for an identifier, in the way that the provider wants. Throws ProviderFailure. */
export async function discover<T>(
  caller: Owner,
  provider: Provider,
  request: DiscoverRequest<T>,
  now: () => number,
): Promise<T> {
  const send = (proof: DiscoveryProof) => sendDiscovery(caller, provider, { ...request, ...proof }, now);
  if (provider.discovery === 'none')
    throw new ProviderFailure('refused', provider.name, `${provider.name} has no discovery.`);
  if (provider.discovery === 'client')
    return send({ credentials: { client_secret: await secretOf(provider) } });
  // A token that must be requested first counts into the same time-out.
  const sinceMs = performance.now();
  const bearer = await applicationToken(caller, provider, sinceMs, now);
  try {
    return await send({ bearer, sinceMs });
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.reason === 'token-rejected')) throw error;
    // The token ended before its time. One more try, with a new one.
    forgetToken(provider, bearer);
    return send({ bearer: await applicationToken(caller, provider, sinceMs, now), sinceMs });
  }
}

type DiscoveryProof = Pick<ProviderCall<unknown>, 'bearer' | 'sinceMs'> & {
  readonly credentials?: Readonly<Record<string, string>>;
};

const sendDiscovery = <T>(
  caller: Owner,
  provider: Provider,
  { identifier: { type, value }, credentials, ...call }: DiscoverRequest<T> & DiscoveryProof,
  now: () => number,
): Promise<T> =>
  callProvider(
    caller,
    provider,
    {
      ...call,
      operation: 'discovery',
      method: 'POST',
      path: '/user-discovery',
      body: json({ client_id: provider.clientId, ...credentials, user_cpf_cnpj: type, val_cpf_cnpj: value }),
    },
    now,
  );

type CachedToken = { readonly token: Promise<string>; freshUntilMs: number; text?: string };

// A token is replaced this long before its end, so that it does not expire on its way.
const EARLY_MS = 30_000;
// Used where a provider does not say how long its token lives. A rejected token is replaced anyway.
const DEFAULT_LIFETIME_SECONDS = 300;

const Token = z.object({ access_token: AccessToken, expires_in: Seconds });

const tokens = new Map<string, CachedToken>();
const keyOf = ({ name, baseUrl, clientId, sealedSecret }: Provider): string =>
  JSON.stringify([name, baseUrl, clientId, sealedSecret]);

/** The hub's own token at a provider, requested once and cached until shortly before its end. */
function applicationToken(
  caller: Owner,
  provider: Provider,
  sinceMs: number,
  now: () => number,
): Promise<string> {
  const key = keyOf(provider);
  const cached = tokens.get(key);
  if (cached && now() < cached.freshUntilMs) return cached.token;
  // Calls that come during the request wait for the same answer.
  const request = requestToken(caller, provider, sinceMs, now);
  const entry: CachedToken = {
    token: request.then(({ token }) => token),
    freshUntilMs: Number.POSITIVE_INFINITY,
  };
  tokens.set(key, entry);
  request.then(
    ({ token, endsAtMs }) => {
      entry.text = token;
      entry.freshUntilMs = endsAtMs - EARLY_MS;
    },
    () => {
      if (tokens.get(key) === entry) tokens.delete(key);
    },
  );
  return entry.token;
}

/** Drops a token, unless another call has replaced it already. */
function forgetToken(provider: Provider, text: string): void {
  const key = keyOf(provider);
  if (tokens.get(key)?.text === text) tokens.delete(key);
}

async function requestToken(
  caller: Owner,
  provider: Provider,
  sinceMs: number,
  now: () => number,
): Promise<{ token: string; endsAtMs: number }> {
  const operation = 'application-token';
  const body = tokenBodyOf(provider, {
    grant_type: 'client_credentials',
    client_id: provider.clientId,
    client_secret: await secretOf(provider),
  });
  const read = (answer: unknown) => {
    const { access_token, expires_in } = requireShape(Token, answer, { provider, operation });
    return {
      token: access_token,
      endsAtMs: now() + (expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1000,
    };
  };
  const call = { operation, method: 'POST', path: '/client_token', sinceMs, body, read } as const;
  return callProvider(caller, provider, call, now);
}
