import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import {
  type EventOf,
  type StateOf,
  stateMachine,
  transition,
} from '../../../../shared/store/state-machine.ts';
import { securityContext } from '../../domain/security-contexts.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/**
 * A nonce, from its creation to its one use. A bare nonce and a `state` are used in one step; a `token` is signed by a
 * page and finalized by the server that opened it.
 */
export const authenticationStates = stateMachine({
  Given: { completed: 'Used', signed: 'Signed' },
  Signed: { finalized: 'Used' },
  Used: {},
});

type State = StateOf<typeof authenticationStates>;
type Event = EventOf<typeof authenticationStates>;

/** The secret that the caller holds and sends back. A secret of one kind is unknown as another. */
type Handle = 'state' | 'token' | 'nonce';

/** A nonce and the rules it is bound to. */
export type Authentication = {
  readonly handle: Handle;
  /** Hash of the secret that the caller holds. */
  readonly hash: string;
  readonly state: State;
  /** The only application that can use it. */
  readonly application: string;
  /** The bytes to sign, base64. */
  readonly nonce: string;
  /** The security context that it is bound to; none for a bare nonce. */
  readonly securityContextId: string | null;
  readonly ignoreRevocationStatusUnknown: boolean;
  /** DER of the certificate, once its key has signed. */
  readonly certificate?: Uint8Array;
  readonly expiresAtMs: number;
};

type Id = Pick<Authentication, 'handle' | 'hash'>;

export const authentications = collection<Authentication, Id>({
  service: 'pki',
  name: 'authentication',
  id: ({ handle, hash }) => ({ handle, hash }),
  key: ({ handle, hash }) => ({ pk: `AUTHENTICATION#${handle}#${hash}`, sk: 'AUTHENTICATION' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil((expiresAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

// For a day, an expired or used secret is told apart from an unknown one.
const KEPT_AFTER_END_MS = 86_400_000;

const NONCE_BYTES = 32;

export type AuthenticationRules = Pick<Authentication, 'securityContextId' | 'ignoreRevocationStatusUnknown'>;
/** The options of a request for a nonce. */
export type AuthenticationOptions = {
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
};

/** The rules of a request: a known security context, whose roots can be read. */
export function rulesOf({
  securityContextId,
  ignoreRevocationStatusUnknown,
}: AuthenticationOptions): AuthenticationRules & {
  readonly securityContextId: string;
} {
  if (!securityContextId) throw errors.refuse('SecurityContextRequired');
  return {
    securityContextId: securityContext(securityContextId).id,
    ignoreRevocationStatusUnknown: ignoreRevocationStatusUnknown ?? false,
  };
}

type OpenedAuthentication = { readonly secret: string; readonly nonce: Buffer };

/** Creates a nonce for an application, and the secret that names it. A bare nonce is its own secret. */
export async function openAuthentication(
  { application }: Caller,
  handle: Handle,
  rules: AuthenticationRules,
  nowMs: number,
): Promise<OpenedAuthentication> {
  const nonce = randomBytes(NONCE_BYTES);
  const text = nonce.toString('base64');
  const secret = handle === 'nonce' ? text : newSecret();
  await authentications.create({
    ...rules,
    handle,
    hash: hashSecret(secret),
    state: 'Given',
    application,
    nonce: text,
    expiresAtMs: nowMs + settings['Authentication:NonceLifetime'] * 1000,
  });
  return { secret, nonce };
}

/** The authentication of a secret. One of another application is refused like an unknown one. */
export async function findAuthentication(
  { application }: Caller,
  handle: Handle,
  secret: string,
): Promise<Stored<Authentication>> {
  const found = await authentications.get({ handle, hash: hashSecret(secret) });
  if (found?.application !== application) throw errors.refuse('InvalidToken');
  return found;
}

/** Whether it expired unused. */
export const isStale = ({ state, expiresAtMs }: Authentication, nowMs: number): boolean =>
  !authenticationStates.isTerminal(state) && expiresAtMs <= nowMs;

/** Refuses a step that is too late, too early, or already done. */
export function refuseUnlessOpen(found: Authentication, event: Event, nowMs: number): void {
  if (isStale(found, nowMs)) throw errors.refuse('StaleSession');
  if (!authenticationStates.accepts(found.state, event)) throw errors.refuse(NOT_OPEN[found.state]);
}

// The refusal of a step that the state machine does not allow.
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
// Nonce replay: the write comes before any answer, so only one call authenticates. It comes after the check of the
// signature, so that junk does not use up the nonce of another caller.
/** Takes the step, once over all instances. */
export async function useNonce(
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
