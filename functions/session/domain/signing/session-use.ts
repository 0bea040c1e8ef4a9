import type { Logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { ItemWrite } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import type { CallRecord } from '../audit.ts';
import { type Deadline, deadlineIn, isOver } from '../deadline.ts';
import { type ActiveSession, requireActiveSession, type Session, sessionIdOf, sessions } from '../session.ts';

/** The effects of one signing call on its session. */
export type SessionUse = { isAccepted: boolean; isKeyUsed: boolean; isPinLost: boolean };

// Fifty calls on an allowance of one:
//
//   each   |--reads 1 left--|--writes 0 left: one succeeds, the others are refused--|--sign--|--give back if unused
//
// A call takes its signature before it uses the key, so that no two calls sign on the same one. A call that was killed
// has used it up.

/** Takes one signature of the session's allowance, where it has one. */
export async function takeAllowance(active: ActiveSession, deadline: Deadline): Promise<ActiveSession> {
  if (active.allowanceLeft === null) return active;
  return retryOnConflict(async () => {
    if (isOver(deadline)) throw errors.refuse('SIGN_TIMEOUT');
    const session = await requireActiveSession(sessionIdOf(active), deadline.now());
    const patch = {
      allowanceLeft: (session.allowanceLeft ?? 1) - 1,
      callsUnderWay: session.callsUnderWay + 1,
    };
    return { ...(await sessions.change(session, patch)), secret: active.secret };
  }).catch((error: unknown) => {
    throw error instanceof RaceLost ? errors.refuse('SIGN_TIMEOUT') : error;
  });
}

// How long the calls of a crowd may take to record their results.
const SETTLE_MS = 5_000;

/** Where the end of a call is recorded. */
type EndOfCall = Pick<CallRecord, 'addWrite' | 'addWork'> & {
  readonly log: Logger;
  readonly now: () => number;
};

/**
 * Records how a call ended. An accepted call renews the window, in the transaction that ends it. Under an allowance, an
 * unused signature is given back and the last one used ends the session. A call that found its PIN gone ends the session
 * too: every later document would be canceled.
 */
export function settleUse(session: ActiveSession, use: SessionUse, end: EndOfCall): void {
  if (use.isPinLost) end.addWork(changeCurrent(session, use, end, (current) => sessions.delete(current)));
  else if (session.allowanceLeft !== null)
    end.addWork(changeCurrent(session, use, end, (current) => settleAllowance(current, use, end.now())));
  else if (use.isAccepted) end.addWrite(renewingWindow(session, end.now()));
}

/** A failure here is only logged, because the documents are at the platform already. */
async function changeCurrent(
  session: ActiveSession,
  use: SessionUse,
  { log, now }: EndOfCall,
  change: (current: Stored<Session>) => Promise<unknown>,
): Promise<void> {
  const limit = deadlineIn(SETTLE_MS, now);
  try {
    await retryOnConflict(async () => {
      if (isOver(limit)) throw new Error(`Other calls kept changing the session for ${SETTLE_MS} ms.`);
      const current = await sessions.get(session.locator);
      // Another session of the CPF may have replaced this one. That one is left alone.
      if (current?.secretHash === session.secretHash) await change(current);
    });
  } catch (error) {
    log.error('The result of a signing call was not recorded.', { error, ...use });
  }
}

async function settleAllowance(
  current: Stored<Session>,
  { isAccepted, isKeyUsed }: SessionUse,
  nowMs: number,
): Promise<void> {
  if (current.allowanceLeft === null) return;
  const allowanceLeft = current.allowanceLeft + (isKeyUsed ? 0 : 1);
  const callsUnderWay = current.callsUnderWay - 1;
  if (allowanceLeft <= 0 && callsUnderWay <= 0) return await sessions.delete(current);
  const window = isAccepted ? windowFrom(current, nowMs) : {};
  await sessions.change(current, { allowanceLeft, callsUnderWay, ...window });
}

const windowFrom = ({ windowSeconds }: Session, nowMs: number) => ({
  expiresAtMs: nowMs + windowSeconds * 1000,
});

/**
 * Renews the window whatever the version is: calls that sign at the same time all renew it. A session that was ended or
 * replaced meanwhile refuses it.
 */
const renewingWindow = (session: ActiveSession, nowMs: number): ItemWrite =>
  sessions.changing(session, windowFrom(session, nowMs), {
    anyVersion: true,
    when: { secretHash: session.secretHash },
  });
