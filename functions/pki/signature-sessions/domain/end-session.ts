import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { findSession, findSessionOfSigner, refuseUnlessPending, type SessionAccess } from './find-session.ts';
import { type SignatureSession, signatureSessionStates, signatureSessions } from './session.ts';

/** Cancels the session for its signer. Signatures so far are discarded. */
export const cancelSession = (
  caller: Caller,
  access: SessionAccess,
  nowMs: number,
): Promise<Stored<SignatureSession>> =>
  retryOnConflict(async () => {
    const session = await findSessionOfSigner(caller, access, nowMs);
    refuseUnlessPending(session);
    return transition(signatureSessions, signatureSessionStates, session, 'cancelled');
  });

// Files of usual sizes take a second or two. A shorter interval costs reads, a longer one time.
const POLL_INTERVAL_MS = 250;

/**
 * Waits for the end of a session whose files are being made, for a limited time: undefined where that was not enough.
 * Refused while the session waits for its signer.
 */
async function waitForEnd(
  caller: Caller,
  access: SessionAccess,
  now: () => number,
): Promise<Stored<SignatureSession> | undefined> {
  const untilMs = now() + settings['SignatureSessions:CompletionWait'] * 1000;
  for (;;) {
    const session = await findSession(caller, access, now());
    const { state } = session;
    if (signatureSessionStates.isTerminal(state)) return session;
    if (signatureSessionStates.accepts(state, 'signed'))
      throw errors.refuse('BadSignatureSessionOperation', { status: state });
    if (now() >= untilMs) return undefined;
    await pause(POLL_INTERVAL_MS);
  }
}

/** The session once it has ended. */
export async function awaitSession(
  caller: Caller,
  access: SessionAccess,
  now: () => number,
): Promise<Stored<SignatureSession>> {
  const ended = await waitForEnd(caller, access, now);
  if (!ended) throw errors.refuse('BackgroundProcessing', { status: 'Processing' });
  return ended;
}

/** Whether the session has ended. Its files are made all or none, so that there is no progress between. */
export async function awaitProgress(caller: Caller, access: SessionAccess, now: () => number) {
  const completed = (await waitForEnd(caller, access, now)) !== undefined;
  return { completed, progress: completed ? 100 : 0 };
}
