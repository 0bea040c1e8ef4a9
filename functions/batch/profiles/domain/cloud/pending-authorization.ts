import { hashSecret, isSecret, matchesSecret, newSecret } from '../../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../../shared/errors/expected.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import type { CloudCertificate } from '../profile.ts';

/** An authorization that was begun and has not come back from the provider. */
export type PendingAuthorization = {
  readonly stateHash: string;
  /** The hash of the operator's cookie. */
  readonly operatorHash: string;
  readonly profileName: string;
  readonly cloudCertificate: CloudCertificate;
  readonly lifetimeSeconds: number;
  readonly createdAtMs: number;
};

/** How long somebody may take at the provider. */
const PENDING_SECONDS = 900;

const pendingAuthorizations = collection<PendingAuthorization, string>({
  service: 'batch',
  name: 'pending cloud authorization',
  id: ({ stateHash }) => stateHash,
  key: (stateHash) => ({ pk: `CLOUD-AUTHORIZATION#${stateHash}`, sk: 'PENDING' }),
  indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + PENDING_SECONDS }),
});

type NewAuthorization = Pick<PendingAuthorization, 'profileName' | 'cloudCertificate' | 'lifetimeSeconds'> & {
  readonly operatorCookie: string;
};

/** Records an authorization, and returns its state. State and cookie are kept as hashes. */
export async function createPending(
  { operatorCookie, ...pending }: NewAuthorization,
  nowMs: number,
): Promise<string> {
  const state = newSecret();
  await pendingAuthorizations.create({
    ...pending,
    stateHash: hashSecret(state),
    operatorHash: hashSecret(operatorCookie),
    createdAtMs: nowMs,
  });
  return state;
}

// A return that is sent twice:
//
//   return 1  |--reads------ deletes --|--reads the certificate--|--sealed into the profile
//   return 2     |--reads------ refused: the item is gone
//
// The item is deleted before the session is used, so one state is good for one authorization at most.

/** Takes the authorization of a state, once. Undefined for a state that is forged, used, over, or of another operator. */
export async function takePending(
  { state, operatorCookie }: { readonly state: string; readonly operatorCookie: string },
  nowMs: number,
): Promise<PendingAuthorization | undefined> {
  if (!isSecret(state)) return undefined;
  const pending = await pendingAuthorizations.get(hashSecret(state));
  if (!pending || nowMs >= pending.createdAtMs + PENDING_SECONDS * 1000) return undefined;
  // CSRF: a session that somebody else authorized would sign for this profile.
  if (!matchesSecret(pending.operatorHash, operatorCookie)) return undefined;
  return pendingAuthorizations.delete(pending).then(() => pending, ifThrown(RaceLost));
}
