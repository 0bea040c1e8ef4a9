import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { recentLog } from '../../../shared/store/recent-log.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

// An attempt whose function was killed makes nobody with the right PIN wait for longer than this; one that still runs
// says so several times meanwhile, until its function ends.
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;

const attempts = recentLog({
  service: 'session',
  name: 'pin',
  windowMs: () => settings['Sessions:PinFailureWindow'] * 1000,
  leaseMs: LEASE_MS,
});

// Not the CPF itself: the list would say whose PIN was tried.
const holderOf = (cpf: string): string => createHash('sha256').update(`pin:${cpf}`).digest('base64url');

// Those before it may be waiting for a holder's answer. Whoever finds no place by then is told to come back, and has
// not tried.
const PATIENCE_MS = 40_000;
// So long do as many comparisons take as may be made at once. Whoever has more before it looks less often.
const LOOK_EVERY_MS = 120;

/** An attempt that may be made. Whoever makes it says whether its PIN was wrong. */
export type PinAttempt = { end(isWrong: boolean): Promise<void> };

// A crowd with one CPF:
//
//   50 callers  |--each puts itself in the list--|  five compare  |--right: they count no more, the next five compare
//                                                                 |--wrong: nobody compares any more
//
// So no more PINs are compared than may fail, however many callers come at once, and right ones only wait.

/**
 * Takes a place for an attempt under the lockout of a CPF, across every key. A refused one counts as failed too, so
 * that retrying makes it worse; whether its PIN was right nobody looked at.
 */
export async function beginAttempt(cpf: string, nowMs: number): Promise<PinAttempt> {
  const most = settings['Sessions:MaxPinFailures'];
  const attempt = await attempts.note(holderOf(cpf), nowMs);
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const { counted, open } = await attempt.before(Date.now());
    if (counted + open < most) break;
    if (counted >= most) {
      await attempt.settle('counted', Date.now());
      throw errors.refuse('TOO_MANY_PIN_ATTEMPTS');
    }
    if (performance.now() >= untilMs) {
      await attempt.settle('withdrawn', Date.now());
      throw errors.refuse('SERVER_BUSY');
    }
    const turnsAhead = Math.max(1, (counted + open) / most);
    await pause(Math.min(LOOK_EVERY_MS * turnsAhead * (0.5 + Math.random()), RENEW_EVERY_MS));
  }
  const renew = () => void attempt.before(Date.now()).catch(() => undefined); // the next one may succeed
  const renewing = setInterval(renew, RENEW_EVERY_MS).unref();
  return {
    async end(isWrong) {
      clearInterval(renewing);
      await attempt.settle(isWrong ? 'counted' : 'withdrawn', Date.now());
    },
  };
}
