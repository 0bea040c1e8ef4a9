import { type Deadline, deadlineIn, leftMs, withDeadline } from '../../../shared/async/deadline.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

export { type Deadline, deadlineIn, leftMs };

// A timer may fire a little early. Whoever waited for it has waited long enough.
const TIMER_SLACK_MS = 50;

export const isOver = ({ atMs, now }: Deadline): boolean => now() >= atMs - TIMER_SLACK_MS;

// Time to render the answer, beside finding a document at the platform and canceling it.
const ANSWER_MS = 4_000;

/** `startedAtMs` is the first byte of the request: a form that arrives slowly uses up its own budget. */
export type CallTimes = { readonly startedAtMs: number; readonly hostDeadlineAtMs: number };

/** The deadline of a signing call: its budget, or shortly before the host ends the function. */
export function signingDeadline({ startedAtMs, hostDeadlineAtMs }: CallTimes, now: () => number): Deadline {
  const cleanUpMs = 2 * settings['Signing:SignerCancelBudget'] * 1000;
  const budgetEndMs = startedAtMs + settings['Signing:RequestBudget'] * 1000;
  return { atMs: Math.min(budgetEndMs, hostDeadlineAtMs - cleanUpMs - ANSWER_MS), now };
}

/** The work's result, or SIGN_TIMEOUT at the deadline. The work itself is not stopped. */
export const inTime = <T>(work: Promise<T>, deadline: Deadline): Promise<T> =>
  withDeadline(
    leftMs(deadline),
    () => work,
    () => errors.refuse('SIGN_TIMEOUT'),
  );

/** The parts of a form until the deadline. A form that is still arriving then is refused whole. */
export async function* partsInTime<T>(parts: AsyncIterable<T>, deadline: Deadline): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      // Each part has its own race: a longer-lived one would keep every document in memory.
      const { done, value } = await inTime(iterator.next(), deadline);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a caller that sends nothing more would delay the answer.
    void iterator.return?.()?.catch(() => undefined);
  }
}
