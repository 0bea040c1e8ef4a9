import { setTimeout as pause } from 'node:timers/promises';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type SignatureSession, signatureSessions } from './session.ts';
import { signatureSessionStates } from './session-states.ts';
import { refuseUnlessPending, sessionOfSigner, type Visitor, visitedSession } from './visit.ts';

/** The person wants to sign nothing. What was signed of it so far is made into no file. */
export const cancelSession = (
  id: string,
  visitor: Visitor,
  nowMs: number,
): Promise<Stored<SignatureSession>> =>
  retryOnConflict(async () => {
    const session = await sessionOfSigner(id, visitor, nowMs);
    refuseUnlessPending(session);
    return transition(signatureSessions, signatureSessionStates, session, 'cancelled');
  });

// Files of usual sizes are made in a second or two. Asking more often costs reads, less often patience.
const LOOKED_AT_EVERY_MS = 250;

/**
 * The session once it has ended, however it did. Held for a while where its files are being made; refused where the
 * person has not done their part.
 */
export async function awaitedSession(
  id: string,
  visitor: Visitor,
  now: () => number,
): Promise<Stored<SignatureSession>> {
  const untilMs = now() + settings['SignatureSessions:CompletionWait'] * 1000;
  for (;;) {
    const session = await visitedSession(id, visitor, now());
    const { state } = session;
    if (signatureSessionStates.isTerminal(state)) return session;
    if (state === 'Pending') throw errors.refuse('BadSignatureSessionOperation', { status: state });
    if (now() >= untilMs) throw errors.refuse('BackgroundProcessing', { status: state });
    await pause(LOOKED_AT_EVERY_MS);
  }
}
