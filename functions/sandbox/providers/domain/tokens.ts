import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import {
  NotAllowed,
  type StateOf,
  stateMachine,
  transition,
} from '../../../../shared/store/state-machine.ts';
import type { ClientTokenRequest } from '../contract.ts';
import { providerErrors } from '../errors.ts';
import { checkClient } from './client.ts';
import type { SandboxProvider } from './provider.ts';
import type { Scope } from './scopes.ts';

export const tokenStates = stateMachine({
  Live: { used: 'Spent', revoked: 'Revoked' },
  Spent: {},
  Revoked: {},
});

/** An access token: of a holder by what was allowed, or of an application. */
export type Token = {
  readonly hash: string;
  readonly provider: string;
  readonly scope: Scope | 'application';
  readonly expiresAtMs: number;
  readonly state: StateOf<typeof tokenStates>;
};

const tokens = collection<Token, string>({
  service: 'sandbox',
  name: 'provider token',
  id: ({ hash }) => hash,
  key: (hash) => ({ pk: `PROVIDER-TOKEN#${hash}`, sk: 'TOKEN' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

// Shorter than a working day, so that whoever keeps it must know how to get another.
const APPLICATION_TOKEN_SECONDS = 3600;

type Grant = { readonly scope: Token['scope']; readonly seconds: number };

/** A token, and the write that makes it good. */
export function newToken({ name }: SandboxProvider, { scope, seconds }: Grant, nowMs: number) {
  const accessToken = newSecret();
  const hash = hashSecret(accessToken);
  const expiresAtMs = nowMs + seconds * 1000;
  const making = tokens.creating({ hash, provider: name, scope, expiresAtMs, state: 'Live' });
  return { accessToken, hash, making };
}

/** The fields of an application's request for a token, by their names in OAuth. */

/**
 * A token with which an application asks who keeps certificates here.
 * @example const { accessToken, seconds } = await issueApplicationToken(provider, body, Date.now());
 */
export async function issueApplicationToken(
  provider: SandboxProvider,
  request: ClientTokenRequest,
  nowMs: number,
) {
  if (request.grant_type !== 'client_credentials') throw providerErrors.refuse('unsupported_grant_type');
  checkClient(request.client_id, request.client_secret);
  const seconds = APPLICATION_TOKEN_SECONDS;
  const { accessToken, making } = newToken(provider, { scope: 'application', seconds }, nowMs);
  await commit([making]);
  return { accessToken, seconds };
}

// RFC 6750, 3
const refused = () =>
  providerErrors.refuse('invalid_token', undefined, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });

/**
 * The token of an Authorization header, if it holds at this provider.
 * @example const token = await bearerOf(provider, headers.authorization, Date.now());
 */
export async function bearerOf(
  { name }: SandboxProvider,
  authorization: string | undefined,
  nowMs: number,
): Promise<Stored<Token>> {
  const [, secret] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? [];
  const token = secret === undefined ? undefined : await tokens.get(hashSecret(secret));
  if (token?.provider !== name || token.state !== 'Live' || token.expiresAtMs <= nowMs) throw refused();
  return token;
}

// Two calls with a token for one:
//
//   one    |--reads Live-- used: Spent --- signs --|
//   other    |--reads Live-- used: refused, no signature --|
//
// It is spent before the key is touched.
export async function spendToken(token: Stored<Token>): Promise<void> {
  try {
    await transition(tokens, tokenStates, token, 'used');
  } catch (error) {
    throw error instanceof RaceLost ? refused() : error;
  }
}

/** Ends a token early, whatever it was good for. One that is over already stays as it is. */
export async function revokeToken(hash: string): Promise<void> {
  const token = await tokens.get(hash);
  if (!token) return;
  await transition(tokens, tokenStates, token, 'revoked').catch(ifThrown([NotAllowed, RaceLost]));
}
