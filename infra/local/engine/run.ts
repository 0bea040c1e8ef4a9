import { execFileSync } from 'node:child_process';
import { isAlive } from '../../../shared/command-line/is-alive.ts';
import { isDiskFull, reasonOf } from '../../../shared/command-line/reason.ts';
import { type Engine, startEngine } from './engine.ts';
import { type Flags, readFlags, USAGE } from './flags.ts';

/** The longest time of a stop. Stores and queues lose nothing when it is cut off. */
const STOP_MS = 15_000;
/** Some runners pass on the signal that the terminal has sent already. Only a later one means: stop at once. */
const SAME_SIGNAL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the engine until a signal or its own failure ends it: 0 for a signal, 1 with one line for a failure. */
export async function runEngine(argv: string[], root: string): Promise<void> {
  const print = (line: string) => console.log(line);
  let engine: Engine | undefined;
  let ending = false;
  let flags: Flags | undefined;

  const end = async (code: number, line?: string) => {
    if (ending) return;
    ending = true;
    if (line !== undefined) console.error(line);
    setTimeout(() => process.exit(code), STOP_MS);
    try {
      await engine?.stop();
    } catch (error) {
      console.error(`Not everything could be stopped: ${reasonOf(error)}`);
    }
    process.exit(code);
  };
  let signalledAt = Number.POSITIVE_INFINITY;
  const onSignal = () => {
    if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(130);
    signalledAt = Math.min(signalledAt, performance.now());
    end(0);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  whenNpmEnds(() => end(0));

  try {
    flags = readFlags(argv, root);
    if (!flags) {
      print(USAGE);
      return await end(0);
    }
    // Code that reads functions/ or infra/ does so from the root.
    process.chdir(root);
    engine = startEngine(flags, root, print);
    await engine.ready;
    await end(1, await engine.died);
  } catch (error) {
    await end(1, isDiskFull(error) ? diskFull(flags) : reasonOf(error));
  }
}

// The error's own message is left out: its advice is for broken data, and this data is not.
const diskFull = (flags: Flags | undefined): string =>
  `The disk is full: nothing could be written to ${flags?.dataDir ?? 'the data folder'}. Make room and start again. Acknowledged writes are kept.`;

/** How often to check whether npm still runs. */
const LOOK_EVERY_MS = 1000;

/**
 * Calls back once when npm, which started this process, is gone. Ended by a supervisor or by kill -9, npm does not end
 * its children: the engine would go on and hold the port. Does nothing where npm did not start it.
 */
function whenNpmEnds(end: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isAlive(npm))) return;
    clearInterval(timer);
    end();
  }, LOOK_EVERY_MS);
  timer.unref();
}

// The script's shell may stand between npm and this process, and outlive npm:
//
//   npm -- sh -c "node infra/local/start.mjs" -- node
//
// Undefined where there is no such shell, or no ps to find it with.
function parentOfShell(pid: number): number | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, parent, args = ''] = /^\s*(\d+)\s+(.*)$/m.exec(line) ?? [];
    return parent && / -c .*start\.mjs/.test(args) ? Number(parent) : undefined;
  } catch {
    return undefined;
  }
}
