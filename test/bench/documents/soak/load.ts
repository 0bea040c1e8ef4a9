import type { Counts } from '../../../../shared/embedded/tables/strict.ts';

export type Load = {
  /** How many were made. */
  readonly done: number;
  /** The statuses of answers that were errors of ours, and errors that were thrown. */
  readonly failures: readonly string[];
  readonly seconds: number;
};

/** Keeps so many pieces of work in flight until it is over, and waits for the last. */
export async function keepInFlight(
  inFlight: number,
  work: (n: number) => Promise<number>,
  isOver: (started: number) => boolean,
): Promise<Load> {
  const failures: string[] = [];
  const startedAt = performance.now();
  let started = 0;
  const slot = async (): Promise<void> => {
    while (!isOver(started)) {
      const n = started++;
      const outcome = await work(n).catch((error: Error) => error.name);
      if (typeof outcome === 'string' || outcome >= 300) failures.push(String(outcome));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, slot));
  return { done: started - failures.length, failures, seconds: (performance.now() - startedAt) / 1000 };
}

/** How often a transaction was tried, on average. One that was given up counts as tried only. */
export function attemptsPerTransaction(before: Counts, after: Counts): number {
  const spent = (name: 'tried' | 'conflicts' | 'throttled') =>
    after.transactions[name] - before.transactions[name];
  return spent('tried') / (spent('tried') - spent('conflicts') - spent('throttled'));
}

const SETTLED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 250;

/** A difference that goes to zero when writers rest: counts may be written after the answer. Gives what is left. */
export async function settled(difference: () => Promise<number>): Promise<number> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const left = await difference();
    if (left === 0 || performance.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
