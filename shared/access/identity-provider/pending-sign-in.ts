import { ifThrown } from '../../errors/expected.ts';
import type { ServiceName } from '../../settings/names.ts';
import { collection } from '../../store/collection.ts';
import { RaceLost } from '../../store/refusals.ts';
import { hashSecret, isSecret, matchesSecret, newSecret } from '../secrets.ts';
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

const pendingSignIns = (service: ServiceName) =>
  collection<PendingSignIn, string>({
    service,
    name: 'pending sign-in',
    id: ({ stateHash }) => stateHash,
    key: (stateHash) => ({ pk: `IDP-SIGN-IN#${stateHash}`, sk: 'PENDING' }),
    indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + PENDING_SECONDS }),
  });

type NewSignIn = { readonly checks: SignInChecks; readonly cookie: string };

/** Records a sign-in, and returns its secrets. State and cookie are kept as hashes. */
export async function createPending(
  service: ServiceName,
  { authority, returnPath }: Pick<PendingSignIn, 'authority' | 'returnPath'>,
  nowMs: number,
): Promise<NewSignIn> {
  const [state, cookie, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret(), newSecret()];
  await pendingSignIns(service).create({
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
  service: ServiceName,
  { state, cookie, authority }: TakeRequest,
  nowMs: number,
): Promise<PendingSignIn | undefined> {
  if (!isSecret(state) || cookie === undefined) return undefined;
  const pending = await pendingSignIns(service).get(hashSecret(state));
  if (!pending || isOver(pending, nowMs) || pending.authority !== authority) return undefined;
  // Login CSRF: an answer that somebody else began, in a browser that did not, would sign it in as that person.
  if (!matchesSecret(pending.browserHash, cookie)) return undefined;
  return pendingSignIns(service)
    .delete(pending)
    .then(() => pending, ifThrown(RaceLost));
}
