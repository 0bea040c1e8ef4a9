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
 * Waits for the end of a session whose files are being made, for a limited time. Refused while the session waits for
 * its signer.
 */
export async function awaitSession(
  caller: Caller,
  access: SessionAccess,
  now: () => number,
): Promise<Stored<SignatureSession>> {
  const untilMs = now() + settings['SignatureSessions:CompletionWait'] * 1000;
  for (;;) {
    const session = await findSession(caller, access, now());
    const { state } = session;
    if (signatureSessionStates.isTerminal(state)) return session;
    if (signatureSessionStates.accepts(state, 'signed'))
      throw errors.refuse('BadSignatureSessionOperation', { status: state });
    if (now() >= untilMs) throw errors.refuse('BackgroundProcessing', { status: state });
    await pause(POLL_INTERVAL_MS);
  }
}
