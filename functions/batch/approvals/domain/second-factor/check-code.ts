import { stepOf } from '../../../../../shared/access/totp.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { say } from '../../../sentences/sentences.ts';
import { type Enrolment, enrolments } from './enrolment.ts';

const MAX_WRONG_CODES = 5;
const LOCK_MS = 5 * 60_000;

export type CodeRefusal = 'approval.second-factor-invalid-code' | 'approval.second-factor-locked-out';

type CodeRequest = {
  readonly code: string;
  /** The secret that judges the code. */
  readonly secret: string;
  /** The changes and writes of a right code, beside its own. */
  readonly accepted?: Partial<Enrolment>;
  readonly also?: readonly Write[];
};

// Codes of one moment meet on the enrolment. Each expects the version that it read, and the slower one reads again:
//
//   first    |--reads: last step 7-- step 8 accepted --|
//   second   |--reads: last step 7------ refused, reads: last step 8 ---- step 8: wrong --|
//
// Brute force: wrong codes are counted by the same writes, on whatever instance. Of fifty at once, five are judged; the
// others read the lock. At five attempts in five minutes, with three codes that are right at a time, a guesser needs
// about five months for an even chance. The lock does not cover its own abuse: whoever has a person's link can keep
// that person locked out, and the events tell of it.

/**
 * Judges a code and records the outcome, in one write. Undefined for a right one. RaceLost when the enrolment has changed
 * since it was read: read it and judge again.
 */
export async function checkCode(
  enrolment: Stored<Enrolment>,
  { code, secret, accepted = {}, also = [] }: CodeRequest,
  nowMs: number,
): Promise<CodeRefusal | undefined> {
  const { lastStep, lockedUntilMs } = enrolment;
  if (lockedUntilMs > nowMs) {
    await commit([counting('bulk_second_factor_verifications_total', { outcome: 'locked-out' })]);
    return 'approval.second-factor-locked-out';
  }
  const step = stepOf(secret, code, nowMs);
  // Replay: a code that was accepted, and any older one, is as wrong as a guess.
  if (step === undefined || step <= lastStep) return countWrong(enrolment, nowMs);
  const patch = { lastStep: step, wrongCodes: 0, lockedUntilMs: 0, ...accepted };
  await commit([
    enrolments.changing(enrolment, patch),
    counting('bulk_second_factor_verifications_total', { outcome: 'accepted' }),
    ...also,
  ]);
  return undefined;
}

async function countWrong(enrolment: Stored<Enrolment>, nowMs: number): Promise<CodeRefusal> {
  const wrongCodes = enrolment.wrongCodes + 1;
  if (wrongCodes < MAX_WRONG_CODES) {
    await commit([
      enrolments.changing(enrolment, { wrongCodes }),
      counting('bulk_second_factor_verifications_total', { outcome: 'invalid-code' }),
    ]);
    return 'approval.second-factor-invalid-code';
  }
  const code = 'approval.second-factor-locked-out';
  const lockedUntilMs = nowMs + LOCK_MS;
  const message = say('second-factor.locked', {
    address: enrolment.address,
    count: MAX_WRONG_CODES,
    time: new Date(lockedUntilMs).toISOString(),
  });
  await commit([
    // The count begins anew when the lock has passed.
    enrolments.changing(enrolment, { wrongCodes: 0, lockedUntilMs }),
    counting('bulk_second_factor_verifications_total', { outcome: 'locked-out' }),
    ...recordingEvent({ type: 'SecondFactorLocked', message, code }, nowMs),
  ]);
  return code;
}
