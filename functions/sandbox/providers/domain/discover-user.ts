import type * as z from 'zod';
import { parseTaxpayer } from '../../../../shared/taxpayer/taxpayer.ts';
import type { UserQuestion } from '../contract.ts';
import { providerErrors } from '../errors.ts';
import { checkClient } from './client.ts';
import type { SandboxProvider } from './provider.ts';
import { bearerOf } from './tokens.ts';

/**
 * Whether somebody keeps certificates here, and in which slots.
 * @example await discoverUser(provider, { ...body, authorization: headers.authorization }, Date.now())
 */
export async function discoverUser(
  provider: SandboxProvider,
  {
    authorization,
    ...request
  }: z.infer<typeof UserQuestion> & { readonly authorization: string | undefined },
  nowMs: number,
) {
  if (provider.discovery === 'client') checkClient(request.client_id, request.client_secret);
  else await checkApplication(provider, authorization, nowMs);
  const user = parseTaxpayer(request.val_cpf_cnpj);
  if (user?.number !== request.val_cpf_cnpj || user.kind !== request.user_cpf_cnpj)
    throw providerErrors.refuse('invalid_request', {
      reason: `val_cpf_cnpj is no ${request.user_cpf_cnpj} without punctuation.`,
    });
  const { identifierType, identifier, name, aliases } = provider.holder;
  if (user.kind !== identifierType || user.number !== identifier) return { status: 'N' as const };
  return { status: 'S' as const, slots: aliases.map((alias) => ({ slot_alias: alias, label: name })) };
}

async function checkApplication(
  provider: SandboxProvider,
  authorization: string | undefined,
  nowMs: number,
): Promise<void> {
  const { scope } = await bearerOf(provider, authorization, nowMs);
  if (scope !== 'application') throw providerErrors.refuse('insufficient_scope');
}
