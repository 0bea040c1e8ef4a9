import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What reading one input took. */
export type Cost = Measurement & { readonly name: string; readonly inputBytes: number };

export type Measurement = {
  /** `read`, or the name of the error. */
  readonly outcome: string;
  /** Of all the process's threads: a busy machine makes it no larger. */
  readonly cpuMs: number;
  /** How far the process's memory rose over what it takes to read something honest, the input itself included. */
  readonly overBaseBytes: number;
};

/** What a module exports to be measured. */
export type MeasuredModule = {
  /** From the smallest to the largest: memory that a smaller one has left behind then breaks no limit of a larger. */
  readonly cases: () => Iterable<Case> | AsyncIterable<Case>;
  readonly read: (bytes: Buffer) => unknown;
  readonly honest: () => Buffer;
};

export type Case = { readonly name: string; readonly bytes: () => Buffer | Promise<Buffer> };

// Memory is measured from outside, so that the collector's leisure must be small: a young generation of 3 MB, and an
// old one that is collected whenever it has grown by a fifth. Left alone, it lets 90 MB of what is held no more lie.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1', '--heap-growing-percent=20'];

const MAX_MS = 60_000; // a hang must end before the test that waits for it

/**
 * Reads every case of a module in a process of its own, and tells what each took. They are made here, so that what
 * making them takes is not counted.
 * @example const costs = await costsOf(new URL('./pdf.ts', import.meta.url));
 */
export async function costsOf(module: URL): Promise<readonly Cost[]> {
  const { cases }: MeasuredModule = await import(module.href);
  const folder = mkdtempSync(join(tmpdir(), 'sinete-bounds-'));
  const reader = fork(fileURLToPath(new URL('./cost-child.ts', import.meta.url)), [module.href], {
    execArgv: FLAGS,
  });
  const ended = once(reader, 'exit').then(([code]) => `ended with ${code}`);
  const answer = async (): Promise<Measurement | string> => {
    const late = pause(MAX_MS, `did not end within ${MAX_MS / 1000} s`, { ref: false });
    return Promise.race([once(reader, 'message').then(([told]) => told as Measurement), ended, late]);
  };
  const costs: Cost[] = [];
  try {
    await answer();
    for await (const { name, bytes } of cases()) {
      const file = join(folder, 'input');
      const input = await bytes();
      writeFileSync(file, input);
      reader.send(file);
      const taken = await answer();
      if (typeof taken === 'string') throw new Error(`Reading "${name}", ${input.length} bytes, ${taken}.`);
      costs.push({ name, inputBytes: input.length, ...taken });
    }
    return costs;
  } finally {
    reader.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

// On a machine of any speed. Reading that has no bound takes far longer; the second that is promised, npm run bench measures.
const HANGS_MS = 5000;
const MAX_TIMES = 10;
// A process that holds one list of 4 MB at a time, and drops 300 of them, rises by 35 MB with the flags above: what the
// collector leaves lying, and pages that it does not give back.
const FLOOR_BYTES = 40 * 1024 * 1024;

/** How many times its size reading something took, beyond the floor. */
export const timesOf = ({ inputBytes, overBaseBytes }: Pick<Cost, 'inputBytes' | 'overBaseBytes'>): number =>
  Math.max(0, overBaseBytes - FLOOR_BYTES) / inputBytes;

/** Those that took too long, took too much memory, or ended in anything but an answer or one of these refusals. */
export const overLimits = (costs: readonly Cost[], refusals: readonly string[]): Cost[] =>
  costs.filter(
    ({ outcome, cpuMs, inputBytes, overBaseBytes }) =>
      !['read', ...refusals].includes(outcome) ||
      cpuMs > HANGS_MS ||
      timesOf({ inputBytes, overBaseBytes }) > MAX_TIMES,
  );
