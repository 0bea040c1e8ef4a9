import { hashSecret, isSecret, newSecret } from '../../../shared/access/secrets.ts';
import { seal, unseal } from '../../../shared/keyring/seal.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../shared/store/state-machine.ts';
import type { SessionType } from '../contract.ts';
import { KEPT_AFTER_END_MS } from './session.ts';

/** A user's visit to a provider. No event leads back to Pending, so a `state` that came back once is used up. */
export const authorizationStates = stateMachine({
  Pending: { returned: 'Returned', denied: 'Denied', failed: 'Failed' },
  Returned: { failed: 'Failed' },
  Denied: {},
  Failed: {},
});

/** The terms of the session that begins when the user comes back. */
export type SessionTerms = {
  readonly application: string;
  readonly redirectUri: string;
  readonly type: SessionType;
  readonly lifetimeSeconds: number;
  /** Counted from the creation: a user who takes long has less of it. */
  readonly expiresAtMs: number;
};

/** A user's visit to one provider, by the hash of the OAuth `state` that goes there and comes back. */
export type Authorization = SessionTerms & {
  readonly stateHash: string;
  readonly provider: string;
  /** The secrets of the visit. They open with the `state`, which the store does not have. */
  readonly sealed: string;
  readonly state: StateOf<typeof authorizationStates>;
};

export const authorizations = collection<Authorization, string>({
  service: 'hub',
  name: 'authorization',
  id: ({ stateHash }) => stateHash,
  key: (stateHash) => ({ pk: `AUTHORIZATION#${stateHash}`, sk: 'AUTHORIZATION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

/** The one redirect URI that is registered at every provider. */
export const callbackUrl = (): string => `${commonSettings['Http:PublicUrl']}/hub/api/sessions/callback`;

type Secrets = { readonly codeVerifier: string; readonly customState: string | null };

const sealOf = (state: string) => ({ secret: state, about: 'hub authorization' });

/** A new authorization, with its secrets in clear for the authorize URL. */
export function newAuthorization(provider: string, terms: SessionTerms, customState: string | null) {
  const state = newSecret();
  const codeVerifier = newSecret();
  const secrets: Secrets = { codeVerifier, customState };
  const authorization: Authorization = {
    ...terms,
    stateHash: hashSecret(state),
    provider,
    sealed: seal(sealOf(state), JSON.stringify(secrets)),
    state: 'Pending',
  };
  return { authorization, state, codeVerifier };
}

/** The authorization of this `state`. One that ended a day ago or more counts as unknown. */
export async function findAuthorization(
  state: string,
  nowMs: number,
): Promise<Stored<Authorization> | undefined> {
  const found = isSecret(state) ? await authorizations.get(hashSecret(state)) : undefined;
  return found && nowMs < found.expiresAtMs + KEPT_AFTER_END_MS ? found : undefined;
}

/** Opens the secrets of an authorization with its `state`. */
export function openAuthorization({ sealed }: Authorization, state: string): Secrets {
  const secrets = unseal(sealOf(state), sealed);
  if (secrets === undefined) throw new Error('The secrets of an authorization do not open with its state.');
  return JSON.parse(secrets);
}
