import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

/** What a caller does again and again. */
export type Work = { readonly name: string; readonly call: () => Promise<unknown> };

// .ci/run has less time.
const SECONDS = Number(process.env.OUTSIDE_LOAD_SECONDS ?? 60);
const CALLERS = 20;
// Each begins a call a second, as long as the one before has ended: together they leave a small machine room.
const PACE_MS = 1000;
// An answer may take so many times the quiet one. Where one waits for a slot that nobody wakes it for, it takes hundreds.
const SLOWEST = 20;

export const LOAD_TIMEOUT = 120_000 + SECONDS * 2000;

/**
 * 20 callers take turns at the work, half of it of each application. A refusal, a 5xx or an answer that is not of the
 * contract fails where it is; an answer that is 20 times slower than the quiet one fails at the end. The quiet one is the
 * median of the same call alone, or of all kinds of calls where that is more: a short call may wait for a long one. Time
 * in which this process itself did not run is no wait for an answer: the machine stood still, or did other work.
 */
export async function expectFairAnswers(work: readonly Work[]): Promise<void> {
  // The first calls of a function compile it.
  for (const { call } of work) await call();
  const alone = new Map<Work, number>();
  for (const each of work) {
    const times: number[] = [];
    for (let n = 0; n < 15; n++) times.push(await timeOf(each.call));
    alone.set(each, median(times));
  }
  const quietOf = (each: Work) => Math.max(alone.get(each) ?? 0, mean([...alone.values()]));

  const machine = watchMachine();
  const taken = new Map<Work, number[]>(work.map((each) => [each, []]));
  const end = performance.now() + SECONDS * 1000;
  const caller = async (first: number) => {
    // Spread over the pace, and not all at the same moment.
    await pause((first * PACE_MS) / CALLERS);
    for (let n = first; performance.now() < end; n++) {
      const each = work[n % work.length] as Work;
      const begun = performance.now();
      await each.call();
      const ms = performance.now() - begun;
      taken.get(each)?.push(ms - machine.stoodStillMs(begun));
      await pause(Math.max(0, PACE_MS - ms));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n)));
  machine.stop();

  const figures = work.map((each) => {
    const times = taken.get(each) ?? [];
    const ms = { quiet: quietOf(each), median: median(times), slowest: Math.max(...times) };
    return { work: each.name, answers: times.length, ...ms, isSlow: ms.slowest > SLOWEST * ms.quiet };
  });
  console.table(
    figures.map(({ work: name, answers, quiet, slowest, ...rest }) => ({
      name,
      answers,
      quiet: Math.round(quiet),
      median: Math.round(rest.median),
      slowest: Math.round(slowest),
    })),
  );
  expect(figures.filter(({ isSlow }) => isSlow)).toEqual([]);
}

const TICK_MS = 10;

/** Tells how long this process did not run since a moment, by the ticks that came late. */
function watchMachine() {
  const late: { readonly at: number; readonly ms: number }[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > 2 * TICK_MS) late.push({ at: last, ms: now - last - TICK_MS });
    last = now;
  }, TICK_MS);
  return {
    stoodStillMs: (since: number): number =>
      late.filter(({ at }) => at + TICK_MS >= since).reduce((sum, { ms }) => sum + ms, 0),
    stop: (): void => clearInterval(timer),
  };
}

async function timeOf(call: Work['call']): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
