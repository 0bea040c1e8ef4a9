import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { lockFile } from '../../infra/local/engine/lock-file.ts';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { CommandRefusal, reasonOf } from '../../shared/command-line/reason.ts';
import type { Screen } from '../terminal/progress.ts';
import { Unavailable } from './api.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { findPlace, type Place, serviceName } from './place.ts';
import { type Report, reportTo } from './report.ts';
import { openState } from './state.ts';
import { type Sync, startSync } from './sync.ts';
import type { Clock } from './work.ts';

const EXIT = { done: 0, failed: 1, refused: 2, interrupted: 130 } as const;

const ROUND_MS = 1_000;
const UNAVAILABLE_MS = 3_000;
/** Without --once the command waits for the service as long as it takes. */
const ONCE_GIVES_UP_AFTER_MS = 120_000;

const LOCK_FILE = '.sinete-folder.lock';

/** The parts of a run that a test replaces. */
export type FolderParts = {
  readonly clock?: Clock;
  readonly screen?: Screen;
  /** Ends the run, as Ctrl-C does. */
  readonly signal?: AbortSignal;
};

/** `npm run folder`: synchronizes a directory, and gives the exit code. @example await runFolder(['scans', '--folder', 'inbox']) */
export async function runFolder(
  argv: readonly string[],
  output: Output = CONSOLE,
  { clock, screen = process.stderr, signal = interruption() }: FolderParts = {},
): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options)
      return await synchronize(options, output, { screen, signal, clock: clock ?? systemClock(signal) });
    output.print(USAGE);
    return EXIT.done;
  } catch (error) {
    output.printError(reasonOf(error));
    return EXIT.refused;
  }
}

const systemClock = (signal: AbortSignal): Clock => ({
  // Ctrl-C ends a pause.
  pause: (ms) => pauseFor(ms, undefined, { signal }).catch(() => undefined),
  now: Date.now,
});

function interruption(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

async function synchronize(
  options: Options,
  output: Output,
  { clock, screen, signal }: Required<FolderParts>,
): Promise<number> {
  const { dir } = options;
  const lock = await lockFile(join(dir, LOCK_FILE), {
    inUse: ({ pid }) => `${dir} is synchronized by another npm run folder (process ${pid}). Stop it first.`,
    unwritable: 'The directory must be writable: what became of each file is kept there.',
  });
  const report = reportTo(output, screen, clock.now);
  try {
    const state = openState(dir, { folder: options.folder, service: serviceName(options) });
    const connect = await findPlace(options);
    const sync = startSync({ options, state, report, clock });
    report.say(`${dir} -> ${options.folder}; signed files go to ${options.output}`);
    try {
      return await repeat({ options, connect, sync, report, clock, signal });
    } finally {
      await state.written();
    }
  } finally {
    report.end();
    lock.release();
  }
}

type Run = {
  readonly options: Options;
  readonly connect: () => Promise<Place>;
  readonly sync: Sync;
  readonly report: Report;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

async function repeat({ options, connect, sync, report, clock, signal }: Run): Promise<number> {
  const { once } = options;
  let place: Place | undefined;
  let silentSinceMs: number | undefined;
  while (!signal.aborted) {
    try {
      place ??= await connect();
      await sync.round(place);
      if (silentSinceMs !== undefined) report.say('The service answers.');
      silentSinceMs = undefined;
      if (once && sync.isDone()) return conclude(sync, report);
      report.waitFor(sync.waitsFor());
      await clock.pause(ROUND_MS);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (silentSinceMs === undefined) report.complain(`${reasonOf(error)}. It is tried again.`);
      silentSinceMs ??= clock.now();
      if (once && clock.now() - silentSinceMs >= ONCE_GIVES_UP_AFTER_MS)
        throw new CommandRefusal(`${reasonOf(error)}. Run the command again when it does: it continues.`);
      place = undefined;
      await clock.pause(UNAVAILABLE_MS);
    }
  }
  return once ? EXIT.interrupted : EXIT.done;
}

function conclude(sync: Sync, report: Report): number {
  const failed = sync.failed();
  if (failed.length === 0) return EXIT.done;
  report.complain(`Not signed: ${failed.join(', ')}`);
  return EXIT.failed;
}
