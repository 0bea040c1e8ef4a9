import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import { type AuthorizationRequest, locationOf, refusalLocation } from './authorization-request.ts';
import type { codeStates } from './code-states.ts';
import type { Scope } from './scopes.ts';

/** The permission of a holder, until its client fetches the token for it. */
export type Code = {
  readonly hash: string;
  readonly provider: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scope: Scope;
  readonly lifetimeSeconds: number;
  readonly expiresAtMs: number;
  readonly state: StateOf<typeof codeStates>;
  /** The token that it became. */
  readonly tokenHash?: string;
};

// A code that comes again kills its token: so it is known for as long as the longest token lives.
const KEPT_SECONDS = 30 * 86_400;

export const codes = collection<Code, string>({
  service: 'sandbox',
  name: 'authorization code',
  id: ({ hash }) => hash,
  key: (hash) => ({ pk: `PROVIDER-CODE#${hash}`, sk: 'CODE' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) + KEPT_SECONDS }),
});

/**
 * The address that the browser goes to once the holder has decided. A holder without a certificate here cannot approve.
 * @example redirectToClient(await decide(request, 'approve', Date.now()))
 */
export async function decide(
  request: AuthorizationRequest,
  decision: 'approve' | 'deny',
  nowMs: number,
): Promise<string> {
  if (decision === 'deny' || !request.isForHolder) return refusalLocation(request, 'access_denied');
  return locationOf(request, { code: await issueCode(request, nowMs) });
}

const CODE_VALID_MS = 60_000;

async function issueCode(request: AuthorizationRequest, nowMs: number): Promise<string> {
  const code = newSecret();
  await codes.create({
    hash: hashSecret(code),
    provider: request.provider.name,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    scope: request.scope,
    lifetimeSeconds: request.lifetimeSeconds,
    expiresAtMs: nowMs + CODE_VALID_MS,
    state: 'Issued',
  });
  return code;
}
