import type * as z from 'zod';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import {
  type EventOf,
  type StateOf,
  stateMachine,
  transition,
} from '../../../../shared/store/state-machine.ts';
import type {
  GEOLOCATION_POLICIES,
  GEOLOCATION_TYPES,
  LivenessSessionStatusModel,
  PLATFORM_PREFERENCES,
} from '../contract/sessions.ts';
import type { Failure } from './failures.ts';

/** A biometric session. Each try is begun, submitted and judged; the ticket of an ended session completes it once. */
export const bioSessionStates = stateMachine({
  Open: { begun: 'Capturing', exhausted: 'Ended', aborted: 'Ended', expired: 'Ended' },
  Capturing: {
    begun: 'Capturing',
    submitted: 'Judging',
    interrupted: 'Open',
    exhausted: 'Ended',
    aborted: 'Ended',
    expired: 'Ended',
  },
  Judging: {
    passed: 'Ended',
    failed: 'Ended',
    again: 'Open',
    interrupted: 'Open',
    abandoned: 'Open',
  },
  Ended: { completed: 'Completed' },
  Completed: {},
});

type BioSessionState = StateOf<typeof bioSessionStates>;

export type BioKind = 'liveness' | 'enrollment';

export type Geolocation = z.infer<typeof LivenessSessionStatusModel>['geolocations'][number];

export type IdCapture = {
  readonly success: boolean;
  readonly matchedFace: boolean;
  readonly matchedFaceLevel: number | null;
};

/** The session of one person, in one item. It holds no picture, and nothing from which one could be made. */
export type BioSession = {
  readonly sessionId: string;
  readonly kind: BioKind;
  readonly application: string;
  /** Hash of the secret in the session's address. */
  readonly tokenHash: string;
  readonly returnUrl: string | null;
  readonly trustedOrigin: string | null;
  readonly subjectIdentifier: string | null;
  readonly mayOverride: boolean;
  readonly platformPreference: (typeof PLATFORM_PREFERENCES)[number];
  readonly wantsDocument: boolean;
  readonly geolocationType: (typeof GEOLOCATION_TYPES)[number];
  readonly geolocationPolicy: (typeof GEOLOCATION_POLICIES)[number];
  readonly expiresAtMs: number;
  readonly state: BioSessionState;
  readonly attempts: number;
  /** The provider's name for the current try. */
  readonly capture?: string | undefined;
  /** When the call to the provider for a try began. */
  readonly begunAtMs?: number | undefined;
  /** When the provider answered the last one. */
  readonly capturedAtMs?: number | undefined;
  readonly judgedByMs?: number | undefined;
  /** The provider that judged. */
  readonly provider?: string;
  readonly outcome?: { readonly success: boolean; readonly failure: Failure | null };
  /** Whether the last try passed for a living person, whatever became of the session. */
  readonly isLive?: boolean;
  readonly idCapture?: IdCapture;
  readonly subjectId?: string;
  readonly geolocations: readonly Geolocation[];
  readonly ticketHash?: string;
};

export type BioEvent = EventOf<typeof bioSessionStates>;

// How long the outcome of a session can be taken and read.
const RESULT_KEPT_MS = 24 * 3_600_000;

const keptUntilMs = ({ expiresAtMs }: BioSession): number => expiresAtMs + RESULT_KEPT_MS;

export const bioSessions = collection<BioSession, string>({
  service: 'pki',
  name: 'biometric session',
  id: ({ sessionId }) => sessionId,
  key: (sessionId) => ({ pk: `BIO#${sessionId}`, sk: 'BIO' }),
  indexed: (session) => ({ ttl: Math.ceil(keptUntilMs(session) / 1000) }),
});

/**
 * The session as of now: ended where it expired, unknown where its result is no longer kept. A try that is being
 * judged may finish.
 */
export async function readSession(sessionId: string, nowMs: number): Promise<Stored<BioSession> | undefined> {
  return retryOnConflict(async () => {
    const found = sessionId === '' ? undefined : await bioSessions.get(sessionId);
    if (!found || nowMs >= keptUntilMs(found)) return undefined;
    const free = await releaseAbandoned(found, nowMs);
    const isOver = nowMs >= free.expiresAtMs && bioSessionStates.accepts(free.state, 'expired');
    return isOver ? moveSession(free, 'expired', endedWith('SessionAborted')) : free;
  });
}

// A function that dies while it judges leaves the session behind:
//
//   try 1  |--submitted: Judging (until 60 s)-- dies
//   try 2                      at 61 s  abandoned: Open |--begun--|--submitted--…
//
// If try 1 resumes, its write meets another version and is refused.
const releaseAbandoned = async (session: Stored<BioSession>, nowMs: number): Promise<Stored<BioSession>> =>
  session.state === 'Judging' && nowMs >= (session.judgedByMs ?? 0)
    ? moveSession(session, 'abandoned')
    : session;

/** Moves a session. Throws RaceLost where it changed since it was read. */
export const moveSession = (
  session: Stored<BioSession>,
  event: BioEvent,
  patch: Partial<Omit<BioSession, 'state'>> = {},
): Promise<Stored<BioSession>> => transition(bioSessions, bioSessionStates, session, event, patch);

/** The fields of an ended session. @example move(session, 'aborted', ended('SessionAborted')) */
export const endedWith = (failure: Failure | null): Pick<BioSession, 'outcome'> & { capture: undefined } => ({
  outcome: { success: failure === null, failure },
  capture: undefined,
});
