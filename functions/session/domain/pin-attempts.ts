import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { recentLog } from '../../../shared/store/recent-log.ts';
import type { ItemWrite } from '../../../shared/store/write.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

// A running attempt renews its lease until its function ends. One whose function was killed delays other callers for at
// most this long.
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;

const attempts = recentLog({
  service: 'session',
  name: 'pin',
  windowMs: () => settings['Sessions:PinFailureWindow'] * 1000,
  leaseMs: LEASE_MS,
});

// A hash, so that the list does not say whose PIN was tried.
const subjectOf = (cpf: string): string => createHash('sha256').update(`pin:${cpf}`).digest('base64url');

// Earlier attempts may be waiting for a holder's answer. A caller that finds no slot in this time is answered
// SERVER_BUSY, and has not tried its PIN.
const MAX_WAIT_MS = 40_000;
// About the time of one round of comparisons. A caller with more rounds ahead of it looks less often.
const LOOK_EVERY_MS = 120;

/** An attempt that may compare its PIN now. Its owner reports whether the PIN was wrong. */
export type PinAttempt = {
  end(isWrong: boolean): Promise<void>;
  /** The end of an attempt with the right PIN, for the commit of its session. */
  ending(): ItemWrite;
};

// Brute force from many connections at once, with a limit of five:
//
//   50 callers  |--each adds itself to the list--|  five compare  |--right: withdrawn, the next five compare
//                                                                 |--wrong: counted, nobody compares any more
//
// So no more PINs are compared than may fail, however many callers come at once. Callers with the right PIN only wait.

/**
 * Begins an attempt under the lockout of a CPF, across every key. A refused attempt counts as failed too, so that
 * retrying prolongs the lockout; its PIN is not compared.
 */
export async function beginAttempt(cpf: string, now: () => number): Promise<PinAttempt> {
  const maxFailures = settings['Sessions:MaxPinFailures'];
  const attempt = await attempts.note(subjectOf(cpf), now());
  const untilMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { counted, open } = await attempt.before(now());
    if (counted + open < maxFailures) break;
    if (counted >= maxFailures) {
      await attempt.settle('counted', now());
      throw errors.refuse('TOO_MANY_PIN_ATTEMPTS');
    }
    if (performance.now() >= untilMs) {
      await attempt.settle('withdrawn', now());
      throw errors.refuse('SERVER_BUSY');
    }
    const roundsAhead = Math.max(1, (counted + open) / maxFailures);
    await pause(Math.min(LOOK_EVERY_MS * roundsAhead * (0.5 + Math.random()), RENEW_EVERY_MS));
  }
  const renew = () => void attempt.before(now()).catch(() => undefined); // the next renewal may succeed
  const renewal = setInterval(renew, RENEW_EVERY_MS).unref();
  return {
    async end(isWrong) {
      clearInterval(renewal);
      await attempt.settle(isWrong ? 'counted' : 'withdrawn', now());
    },
    ending() {
      clearInterval(renewal);
      return attempt.withdrawing();
    },
  };
}
