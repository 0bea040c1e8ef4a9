import { providerErrors } from '../errors.ts';
import { checkClient } from './client.ts';
import type { SandboxProvider } from './provider.ts';
import { issueApplicationToken } from './tokens.ts';

/** What an application sends for a token of its own, by its names in OAuth. */
export type ClientTokenRequest = {
  readonly grant_type: string;
  readonly client_id: string;
  readonly client_secret: string;
};

/** @example const { accessToken, seconds } = await grantApplication(provider, body, Date.now()); */
export function grantApplication(provider: SandboxProvider, request: ClientTokenRequest, nowMs: number) {
  if (request.grant_type !== 'client_credentials') throw providerErrors.refuse('unsupported_grant_type');
  checkClient(request.client_id, request.client_secret);
  return issueApplicationToken(provider, nowMs);
}
