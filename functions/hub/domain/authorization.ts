import { seal, unseal } from '../../../shared/access/seal.ts';
import { hashSecret, isSecret, newSecret } from '../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import type { AuthorizationState } from './authorization-states.ts';
import { KEPT_AFTER_END_MS } from './kept-after-end.ts';
import type { SessionType } from './session-types.ts';

/** What a session is made of once the user comes back. */
export type SessionTerms = {
  readonly application: string;
  readonly redirectUri: string;
  readonly type: SessionType;
  readonly lifetimeSeconds: number;
  /** Counted from the creation: a user who takes long has less of it. */
  readonly expiresAtMs: number;
};

/** A user's visit to one provider, by the hash of the `state` that goes there and comes back. */
export type Authorization = SessionTerms & {
  readonly stateHash: string;
  readonly provider: string;
  /** What is kept of it for later. It opens with the `state`, which the store does not have. */
  readonly sealed: string;
  readonly state: AuthorizationState;
};

export const authorizations = collection<Authorization, string>({
  service: 'hub',
  name: 'authorization',
  id: ({ stateHash }) => stateHash,
  key: (stateHash) => ({ pk: `AUTHORIZATION#${stateHash}`, sk: 'AUTHORIZATION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

/** Nobody needs it until the user is back. Whoever sees the `state` on its way has not the store. */
type Kept = { readonly codeVerifier: string; readonly customState: string | null };

const sealOf = (state: string) => ({ secret: state, about: 'hub authorization' });

/** One that waits for its user, and the secrets that are its own. */
export function newAuthorization(provider: string, wish: SessionTerms, customState: string | null) {
  const state = newSecret();
  const codeVerifier = newSecret();
  const kept: Kept = { codeVerifier, customState };
  const authorization: Authorization = {
    ...wish,
    stateHash: hashSecret(state),
    provider,
    sealed: seal(sealOf(state), JSON.stringify(kept)),
    state: 'Pending',
  };
  return { authorization, state, codeVerifier };
}

/** The one that this `state` is of, unless it has been over for so long that it counts as unknown. */
export async function findAuthorization(
  state: string,
  nowMs: number,
): Promise<Stored<Authorization> | undefined> {
  const found = isSecret(state) ? await authorizations.get(hashSecret(state)) : undefined;
  return found && nowMs < found.expiresAtMs + KEPT_AFTER_END_MS ? found : undefined;
}

/** What was kept for the user's return. */
export function openAuthorization({ sealed }: Authorization, state: string): Kept {
  const kept = unseal(sealOf(state), sealed);
  if (kept === undefined) throw new Error('What an authorization keeps does not open with its state.');
  return JSON.parse(kept);
}
