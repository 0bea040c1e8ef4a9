import { setTimeout as pause } from 'node:timers/promises';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { errors } from '../../errors.ts';
import { signingCertificate } from '../held-certificates.ts';
import { type ActiveSession, requireActiveSession, type Session, sessions } from '../session.ts';
import { sessionIdOf } from '../session-id.ts';
import { keyOf } from './session-key.ts';
import { signerOf } from './signer-of.ts';
import type { SigningCall } from './signing-call.ts';

/** What a call has come to: whether a document was accepted, the key was used, and its PIN is gone. */
type Outcome = { readonly isAccepted: boolean; readonly isUsed: boolean; readonly isPinLost: boolean };

type Calling = Pick<SigningCall, 'actor' | 'log' | 'note' | 'deadlineAtMs'>;

/** Runs one signing call under a session: one document or a batch, it counts once. */
export async function underSession<T>(
  found: ActiveSession,
  calling: Calling,
  run: (call: SigningCall) => Promise<T>,
): Promise<T> {
  const { deadlineAtMs, log } = calling;
  const certificate = await signingCertificate(found, Date.now());
  const signer = signerOf(certificate, found);
  const session = await take(found, deadlineAtMs);
  let [isAccepted, isUsed, isPinLost] = [false, false, false];
  const pinLost = () => {
    isPinLost = true;
  };
  try {
    return await run({
      ...calling,
      certificate,
      signer,
      key: await keyOf(session, certificate, { deadlineAtMs, pinLost }),
      keyUsed: () => {
        isUsed = true;
      },
      accepted: () => {
        isAccepted = true;
      },
    });
  } finally {
    await settle(session, { isAccepted, isUsed, isPinLost }, log);
  }
}

// Fifty calls on an allowance of one:
//
//   each   |--reads 1 left--|--writes 0 left: one is written, the others are refused--|--sign--|--give back if unused
//
// The allowance is taken before the key is used, so that nobody signs on one that another call has taken. A call that
// was killed has spent it.

/** Takes one call of the session's allowance, where it has one. */
async function take(found: ActiveSession, deadlineAtMs: number): Promise<ActiveSession> {
  if (found.allowanceLeft === null) return found;
  const taken = await retried(async () => {
    const session = await requireActiveSession(sessionIdOf(found));
    const patch = {
      allowanceLeft: (session.allowanceLeft ?? 1) - 1,
      callsUnderWay: session.callsUnderWay + 1,
    };
    return { ...(await sessions.change(session, patch)), secret: found.secret };
  }, deadlineAtMs);
  if (!taken) throw errors.refuse('SIGN_TIMEOUT');
  return taken;
}

// How long a crowd of calls may take to tell what each came to.
const SETTLING_MS = 5_000;

/**
 * Ends a call. One that was accepted grants the window anew; under an allowance, an unused one is given back and the
 * last one used ends the session. So does a call that found its PIN gone: whatever came after it would be canceled.
 * The documents are where they are, so that a failure here is nobody's but ours.
 */
async function settle(session: ActiveSession, outcome: Outcome, log: SigningCall['log']): Promise<void> {
  try {
    if (outcome.isPinLost) await retried(() => end(session), Date.now() + SETTLING_MS);
    else if (session.allowanceLeft !== null)
      await retried(() => settleAllowance(session, outcome), Date.now() + SETTLING_MS);
    else if (outcome.isAccepted) await extend(session);
  } catch (error) {
    log.error('What a signing call came to was not recorded.', { error, ...outcome });
  }
}

async function end({ locator, secretHash }: Session): Promise<void> {
  const current = await sessions.get(locator);
  if (current?.secretHash === secretHash) await sessions.delete(current);
}

const windowFromNow = ({ windowSeconds }: Session) => ({ expiresAtMs: Date.now() + windowSeconds * 1000 });

/** Whoever else signs meanwhile extends it too, and none stands in another's way. */
async function extend(session: ActiveSession): Promise<void> {
  const onlyThisOne = { anyVersion: true, when: { secretHash: session.secretHash } };
  await sessions.change(session, windowFromNow(session), onlyThisOne).catch((error: unknown) => {
    if (!(error instanceof RaceLost)) throw error; // it was ended or replaced meanwhile
  });
}

async function settleAllowance(
  { locator, secretHash }: Session,
  { isAccepted, isUsed }: Outcome,
): Promise<void> {
  const current = await sessions.get(locator);
  if (current?.secretHash !== secretHash || current.allowanceLeft === null) return;
  const allowanceLeft = current.allowanceLeft + (isUsed ? 0 : 1);
  const callsUnderWay = current.callsUnderWay - 1;
  if (allowanceLeft <= 0 && callsUnderWay <= 0) return await sessions.delete(current);
  const extension = isAccepted ? windowFromNow(current) : {};
  await sessions.change(current, { allowanceLeft, callsUnderWay, ...extension });
}

const LOOK_AGAIN_MS = 25;

/** Tries until no other writer is first; nothing when the time is over. */
async function retried<T>(attempt: () => Promise<T>, untilMs: number): Promise<T | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RaceLost)) throw error;
      if (Date.now() >= untilMs) return undefined;
      await pause(Math.random() * LOOK_AGAIN_MS * Math.min(tries, 10));
    }
  }
}
