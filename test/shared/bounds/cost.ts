import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The cost of reading one input. */
export type Cost = Measurement & { readonly name: string; readonly inputBytes: number };

export type Measurement = {
  /** `read`, or the name of the error. */
  readonly outcome: string;
  /** Of all threads of the process. A busy machine does not increase it. */
  readonly cpuMs: number;
  /** The rise of the process's memory over that of reading an honest input, the input itself included. */
  readonly overBaseBytes: number;
};

/** The exports of a module to measure. */
export type MeasuredModule = {
  /** From the smallest to the largest, so that memory left by a small one breaks no limit of a larger one. */
  readonly cases: () => Iterable<Case> | AsyncIterable<Case>;
  readonly read: (bytes: Buffer) => unknown;
  readonly honest: () => Buffer;
};

export type Case = { readonly name: string; readonly bytes: () => Buffer | Promise<Buffer> };

// Memory is measured from outside, so the garbage collector must run often: a young generation of 3 MB, and an old one
// that is collected after a growth of one fifth. By default, 90 MB of garbage stay.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1', '--heap-growing-percent=20'];

const MAX_MS = 60_000; // a hang ends before the test times out

// Garbage of the cases before, and the moment of a collection, change the peak of a case by some megabytes. A case that
// really takes too much does so in a fresh process too.
const MAX_MEASUREMENTS = 3;

/**
 * Reads every case of a module in another process, and returns the cost of each. A case over the limit of memory is
 * measured again by itself, and its least peak counts.
 * @example const costs = await costsOf(new URL('./pdf.ts', import.meta.url));
 */
export async function costsOf(module: URL): Promise<readonly Cost[]> {
  const costs = [...(await measure(module, () => true))];
  for (const at of costs.keys()) {
    for (let measured = 1; measured < MAX_MEASUREMENTS && takesTooMuch(costs[at]); measured++) {
      const [again] = await measure(module, (index) => index === at);
      if (again && again.overBaseBytes < (costs[at]?.overBaseBytes ?? 0)) costs[at] = again;
    }
  }
  return costs;
}

const takesTooMuch = (cost: Cost | undefined): boolean => cost !== undefined && timesOf(cost) > MAX_TIMES;

// The cases are made in this process, so that making them is not counted.
async function measure(module: URL, isMeasured: (index: number) => boolean): Promise<readonly Cost[]> {
  const { cases }: MeasuredModule = await import(module.href);
  const folder = mkdtempSync(join(tmpdir(), 'sinete-bounds-'));
  const reader = fork(fileURLToPath(new URL('./cost-child.ts', import.meta.url)), [module.href], {
    execArgv: FLAGS,
  });
  const ended = once(reader, 'exit').then(([code]) => `ended with ${code}`);
  const answer = async (): Promise<Measurement | string> => {
    const late = pause(MAX_MS, `did not end within ${MAX_MS / 1000} s`, { ref: false });
    return Promise.race([once(reader, 'message').then(([message]) => message as Measurement), ended, late]);
  };
  const costs: Cost[] = [];
  try {
    await answer();
    let index = 0;
    for await (const { name, bytes } of cases()) {
      if (!isMeasured(index++)) continue;
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

// A hang, on a machine of any speed. The promised limit of one second is measured by npm run bench.
const HANGS_MS = 5000;
const MAX_TIMES = 10;
// With the flags above, a process that allocates and drops 300 lists of 4 MB, one at a time, rises by 35 MB: garbage, and
// pages that are not returned to the system.
const FLOOR_BYTES = 40 * 1024 * 1024;

/** The memory beyond the floor, as a multiple of the input's size. */
export const timesOf = ({ inputBytes, overBaseBytes }: Pick<Cost, 'inputBytes' | 'overBaseBytes'>): number =>
  Math.max(0, overBaseBytes - FLOOR_BYTES) / inputBytes;

/** The costs over a limit of time or memory, or with an outcome that is neither `read` nor one of these refusals. */
export const overLimits = (costs: readonly Cost[], refusals: readonly string[]): Cost[] =>
  costs.filter(
    ({ outcome, cpuMs, inputBytes, overBaseBytes }) =>
      !['read', ...refusals].includes(outcome) ||
      cpuMs > HANGS_MS ||
      timesOf({ inputBytes, overBaseBytes }) > MAX_TIMES,
  );
