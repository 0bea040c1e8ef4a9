import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { type EventOf, transition } from '../../../../shared/store/state-machine.ts';
import { settings } from '../../settings.ts';
import type { GEOLOCATION_POLICIES, GEOLOCATION_TYPES, PLATFORM_PREFERENCES } from '../contract/sessions.ts';
import type { Failure } from './failures.ts';
import { type BioSessionState, bioSessionStates } from './session-states.ts';

export type BioKind = 'liveness' | 'enrollment';

export type Geolocation = {
  readonly device: 'Capture' | 'Origin';
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number | null;
};

export type IdCapture = {
  readonly success: boolean;
  readonly matchedFace: boolean;
  readonly matchedFaceLevel: number | null;
};

/** One person's visit, in one item. No picture and nothing that a picture could be made from is in it. */
export type BioSession = {
  readonly sessionId: string;
  readonly kind: BioKind;
  readonly application: string;
  /** Of the secret in the session's address. */
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
  /** The provider's name for the try that is under way. */
  readonly capture?: string | undefined;
  /** Since when the provider is being asked for a try. */
  readonly begunAtMs?: number | undefined;
  /** When it answered for the last one. */
  readonly capturedAtMs?: number | undefined;
  readonly judgedByMs?: number | undefined;
  /** Who judged, once somebody did. */
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

const keptUntilMs = ({ expiresAtMs }: BioSession): number =>
  expiresAtMs + settings['Biometrics:ResultKeptFor'] * 1000;

export const bioSessions = collection<BioSession, string>({
  service: 'pki',
  name: 'biometric session',
  id: ({ sessionId }) => sessionId,
  key: (sessionId) => ({ pk: `BIO#${sessionId}`, sk: 'BIO' }),
  indexed: (session) => ({ ttl: Math.ceil(keptUntilMs(session) / 1000) }),
});

/**
 * The session as it stands now: one whose time is over has ended, and one whose result is kept no more is unknown.
 * A try that is being judged is let to its end.
 */
export async function readSession(sessionId: string, nowMs: number): Promise<Stored<BioSession> | undefined> {
  return retryOnConflict(async () => {
    const found = sessionId === '' ? undefined : await bioSessions.get(sessionId);
    if (!found || nowMs >= keptUntilMs(found)) return undefined;
    const free = await freed(found, nowMs);
    const isOver = nowMs >= free.expiresAtMs && bioSessionStates.allows(free.state, 'expired');
    return isOver ? move(free, 'expired', ended('SessionAborted')) : free;
  });
}

// A function that dies while it judges leaves the session behind:
//
//   try 1  |--submitted: Judging (until 60 s)-- dies
//   try 2                      at 61 s  abandoned: Open |--begun--|--submitted--…
//
// Should try 1 come back to life, its write finds another version, and is refused.
const freed = async (session: Stored<BioSession>, nowMs: number): Promise<Stored<BioSession>> =>
  session.state === 'Judging' && nowMs >= (session.judgedByMs ?? 0) ? move(session, 'abandoned') : session;

/** Moves a session. Throws RaceLost when it is no longer the one that was read. */
export const move = (
  session: Stored<BioSession>,
  event: BioEvent,
  patch: Partial<Omit<BioSession, 'state'>> = {},
): Promise<Stored<BioSession>> => transition(bioSessions, bioSessionStates, session, event, patch);

/** What an end writes. @example move(session, 'aborted', ended('SessionAborted')) */
export const ended = (failure: Failure | null): Pick<BioSession, 'outcome'> & { capture: undefined } => ({
  outcome: { success: failure === null, failure },
  capture: undefined,
});
