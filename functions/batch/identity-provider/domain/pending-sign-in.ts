import { hashSecret, isSecret, matchesSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { SignInChecks } from './provider.ts';

/** A sign-in that was begun and has not come back from the provider. */
type PendingSignIn = {
  readonly stateHash: string;
  /** The hash of the cookie of the browser that began it. */
  readonly browserHash: string;
  readonly authority: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnPath: string;
  readonly createdAtMs: number;
};

/** How long somebody may take at the provider. */
export const PENDING_SECONDS = 600;

const isOver = ({ createdAtMs }: PendingSignIn, nowMs: number): boolean =>
  nowMs >= createdAtMs + PENDING_SECONDS * 1000;

const pendingSignIns = collection<PendingSignIn, string>({
  service: 'batch',
  name: 'pending sign-in',
  id: ({ stateHash }) => stateHash,
  key: (stateHash) => ({ pk: `IDP-SIGN-IN#${stateHash}`, sk: 'PENDING' }),
  indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + PENDING_SECONDS }),
});

export type NewSignIn = { readonly checks: SignInChecks; readonly cookie: string };

/** Records a sign-in, and returns its secrets. State and cookie are kept as hashes. */
export async function createPending(
  { authority, returnPath }: Pick<PendingSignIn, 'authority' | 'returnPath'>,
  nowMs: number,
): Promise<NewSignIn> {
  const [state, cookie, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret(), newSecret()];
  await pendingSignIns.create({
    stateHash: hashSecret(state),
    browserHash: hashSecret(cookie),
    authority,
    nonce,
    codeVerifier,
    returnPath,
    createdAtMs: nowMs,
  });
  return { checks: { state, nonce, codeVerifier }, cookie };
}

type TakeRequest = {
  readonly state: string;
  readonly cookie: string | undefined;
  readonly authority: string;
};

// A callback that is sent twice:
//
//   callback 1  |--reads------ deletes --|--exchanges the code--
//   callback 2     |--reads------ refused: the item is gone
//
// The item is deleted before the code is used, so one state is good for one exchange at most.

/** Takes the sign-in of a state, once. Undefined for a state that is forged, used, over, or of another browser. */
export async function takePending(
  { state, cookie, authority }: TakeRequest,
  nowMs: number,
): Promise<PendingSignIn | undefined> {
  if (!isSecret(state) || cookie === undefined) return undefined;
  const pending = await pendingSignIns.get(hashSecret(state));
  if (!pending || isOver(pending, nowMs) || pending.authority !== authority) return undefined;
  // Login CSRF: an answer that somebody else began, in a browser that did not, would sign it in as that person.
  if (!matchesSecret(pending.browserHash, cookie)) return undefined;
  return pendingSignIns.delete(pending).then(() => pending, ifThrown(RaceLost));
}
