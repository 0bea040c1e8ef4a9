import { setTimeout as pause } from 'node:timers/promises';

/** The clock of the event sources. A test can run it faster. */
export type Clock = {
  now(): number;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export const realClock: Clock = {
  now: Date.now,
  wait: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
};
