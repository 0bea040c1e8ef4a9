import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type EventOf, type StateOf, transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { authenticationStates } from './authentication-states.ts';

type State = StateOf<typeof authenticationStates>;
type Event = EventOf<typeof authenticationStates>;

/** What a caller holds and sends back. What was given as one of them is none of the others. */
type Handle = 'state' | 'token' | 'nonce';

/** A nonce that was given out, with all that it is good for. */
export type Authentication = {
  readonly handle: Handle;
  /** Of what the caller holds. */
  readonly hash: string;
  readonly state: State;
  /** Nobody else can use it. */
  readonly application: string;
  /** The bytes to sign, base64. */
  readonly nonce: string;
  /** What it was asked for under; a bare nonce is asked for under nothing. */
  readonly securityContextId: string | null;
  readonly ignoreRevocationStatusUnknown: boolean;
  /** DER, once its key has signed. */
  readonly certificate?: Uint8Array;
  readonly expiresAtMs: number;
};

type Id = Pick<Authentication, 'handle' | 'hash'>;

export const authentications = collection<Authentication, Id>({
  service: 'pki',
  name: 'authentication',
  id: ({ handle, hash }) => ({ handle, hash }),
  key: ({ handle, hash }) => ({ pk: `AUTHENTICATION#${handle}#${hash}`, sk: 'AUTHENTICATION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + REMEMBERED_MS) / 1000) }),
});

// For a day, what is over or used is told apart from what never was.
const REMEMBERED_MS = 86_400_000;

const NONCE_BYTES = 32;

export type Opening = Pick<Authentication, 'securityContextId' | 'ignoreRevocationStatusUnknown'>;
type Opened = { readonly secret: string; readonly nonce: Buffer };

/** Gives a fresh nonce to an application, and the secret that names it. A bare nonce is its own name. */
export async function openAuthentication(
  handle: Handle,
  { application }: Caller,
  opening: Opening,
  nowMs: number,
): Promise<Opened> {
  const nonce = randomBytes(NONCE_BYTES);
  const text = nonce.toString('base64');
  const secret = handle === 'nonce' ? text : newSecret();
  await authentications.create({
    ...opening,
    handle,
    hash: hashSecret(secret),
    state: 'Given',
    application,
    nonce: text,
    expiresAtMs: nowMs + settings['Authentication:NonceLifetime'] * 1000,
  });
  return { secret, nonce };
}

/** What this application was given by that name. Another's is as unknown as one that never was. */
export async function findAuthentication(
  handle: Handle,
  secret: string,
  { application }: Caller,
): Promise<Stored<Authentication>> {
  const found = await authentications.get({ handle, hash: hashSecret(secret) });
  if (found?.application !== application) throw errors.refuse('InvalidToken');
  return found;
}

/** Whether its time is over and it was not used before. */
export const isStale = ({ state, expiresAtMs }: Authentication, nowMs: number): boolean =>
  !authenticationStates.isTerminal(state) && expiresAtMs <= nowMs;

/** Refuses a step that is not open: it is too late, too early, or was done. */
export function refuseUnlessOpen(found: Authentication, event: Event, nowMs: number): void {
  if (isStale(found, nowMs)) throw errors.refuse('StaleSession');
  if (!authenticationStates.allows(found.state, event)) throw errors.refuse(NOT_OPEN[found.state]);
}

// Why a step that the table does not have in this state is not open.
const NOT_OPEN = {
  Given: 'ClientSignatureNotSet',
  Signed: 'ClientSignatureAlreadySet',
  Used: 'NonceAlreadyUsed',
} as const satisfies Record<State, string>;

// One nonce, sent twice at the same moment:
//
//   one    |--reads Given-- signature holds -- Given to Used --- judged, answered --|
//   other    |--reads Given-- signature holds ------- Given to Used: refused, NonceAlreadyUsed --|
//
// The write comes after the signature was found to hold, so that whoever sends junk spends nobody's nonce, and before
// any answer, so that no two are told that it authenticated them.
/** Makes the step, once over all instances. */
export async function spend(
  found: Stored<Authentication>,
  event: Event,
  patch: Pick<Authentication, 'certificate'> = {},
): Promise<void> {
  try {
    await transition(authentications, authenticationStates, found, event, patch);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    const winner = await authentications.get(found);
    throw errors.refuse(winner ? NOT_OPEN[winner.state] : 'InvalidToken');
  }
}
