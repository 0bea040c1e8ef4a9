import { setTimeout as pause } from 'node:timers/promises';
import { SEED } from '../../../faults/fuzz.ts';
import { type KillableEngine, secondsUntil } from '../engine/kills/killed-work.ts';

const GIVE_UP_SECONDS = 3_600;

/** Numbers from 0 to below 1, the same for the same seed: a linear congruential generator. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How far work is. */
export type Progress = { readonly done: number; readonly isOver: boolean };

type KilledWork = {
  readonly engine: KillableEngine;
  readonly lines: number;
  readonly kills: number;
  readonly progress: () => Promise<Progress>;
  /** Kills wait for no more of the work than this part, so that the last of them meets some of it. */
  readonly killedUntil: number;
  /** A kill comes so long after the progress that it waits for, or sooner: between two steps of the progress. */
  readonly maxDelayMs: number;
};

export type KillReport = {
  /** Those that met the work: a fast machine may end it before the last. */
  readonly kills: number;
  /** The lines that were counted at each kill. */
  readonly killedAt: readonly number[];
  readonly seconds: number;
  readonly secondsDown: number;
};

/** Kills the engine at random moments of some work, starts it again on the same folder, and waits for the end of the work. */
export async function killAtRandom(work: KilledWork): Promise<KillReport> {
  const { engine, lines, kills, progress, killedUntil, maxDelayMs } = work;
  const random = randomOf(SEED);
  const parts = Array.from({ length: kills }, () => random() * killedUntil).toSorted(
    (one, other) => one - other,
  );
  const startedAt = performance.now();
  const killedAt: number[] = [];
  let secondsDown = 0;
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  for (const part of parts) {
    await secondsUntil(async () => (await progress()).done >= part * lines, GIVE_UP_SECONDS);
    await pause(random() * maxDelayMs);
    const { done, isOver } = await progress();
    if (isOver) break;
    killedAt.push(done);
    const before = seconds();
    await engine.killAndRestart();
    secondsDown += seconds() - before;
  }
  await secondsUntil(async () => (await progress()).isOver, GIVE_UP_SECONDS);
  return { kills: killedAt.length, killedAt, seconds: seconds(), secondsDown };
}
