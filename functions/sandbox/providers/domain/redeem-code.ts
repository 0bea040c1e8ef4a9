import { createHash } from 'node:crypto';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { TokenRequest } from '../contract.ts';
import { providerErrors } from '../errors.ts';
import { checkClient } from './client.ts';
import { codeStates } from './code-states.ts';
import { type Code, codes } from './codes.ts';
import type { SandboxProvider } from './provider.ts';
import type { Scope } from './scopes.ts';
import { newToken, revokeToken } from './tokens.ts';

export type Redeemed = { readonly accessToken: string; readonly scope: Scope; readonly seconds: number };

const refused = (reason: string) => providerErrors.refuse('invalid_grant', { reason });

// The same code twice, side by side or later:
//
//   one    |--reads Issued---- redeemed, token made ----|
//   other    |--reads Issued---- redeemed: refused, the code is read again, its token revoked --|
//
// The code and its token are written together, so that no token is ever without a code that can kill it.

/**
 * The token for a code, once. A code that comes again was stolen by one of the two, so neither goes on with it.
 * @example const { accessToken } = await redeemCode(provider, body, Date.now());
 */
export async function redeemCode(
  provider: SandboxProvider,
  request: TokenRequest,
  nowMs: number,
): Promise<Redeemed> {
  if (request.grant_type !== 'authorization_code') throw providerErrors.refuse('unsupported_grant_type');
  checkClient(request.client_id, request.client_secret);
  const code = await codes.get(hashSecret(request.code));
  if (code?.provider !== provider.name || code.clientId !== request.client_id)
    throw refused('This code is not known here.');
  if (code.state !== 'Issued') return refuseRepeated(code);
  checkBinding(code, request, nowMs);
  const { scope, lifetimeSeconds: seconds } = code;
  const { accessToken, hash, making } = newToken(provider, { scope, seconds }, nowMs);
  try {
    await transition(codes, codeStates, code, 'redeemed', { tokenHash: hash }, { also: [making] });
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    return refuseRepeated((await codes.get(code.hash)) ?? code);
  }
  return { accessToken, scope, seconds };
}

async function refuseRepeated({ tokenHash }: Stored<Code>): Promise<never> {
  if (tokenHash !== undefined) await revokeToken(tokenHash);
  throw refused('This code was used before. The token that was given for it is good no more.');
}

function checkBinding(code: Code, request: TokenRequest, nowMs: number): void {
  if (code.expiresAtMs <= nowMs) throw refused('This code is too old.');
  if (code.redirectUri !== request.redirect_uri)
    throw refused('The redirect_uri is not the one of the code.');
  if (challengeOf(request.code_verifier) !== code.codeChallenge)
    throw refused('The code_verifier is not the one of the code.');
}

// RFC 7636, 4.1: what is shorter or holds other characters is no verifier.
const VERIFIER = /^[\w.~-]{43,128}$/;

const challengeOf = (verifier: string): string | undefined =>
  VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : undefined;
