import { type Engine, startEngine } from './engine.ts';
import { readFlags, USAGE } from './flags.ts';
import { reasonOf } from './reason.ts';

/** Whatever is still open after this is let go: stores and queues lose nothing by it. */
const STOP_MS = 15_000;
/** Some runners pass on the signal that the terminal has sent already: only a later one means impatience. */
const SAME_SIGNAL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the engine until a signal or its own failure ends it: 0 for a signal, 1 with one line for a failure. */
export async function runEngine(argv: string[], root: string): Promise<void> {
  const say = (line: string) => console.log(line);
  let engine: Engine | undefined;
  let ending = false;

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
  endWithNpm(() => end(0));

  try {
    const flags = readFlags(argv, root);
    if (!flags) {
      say(USAGE);
      return await end(0);
    }
    // Whatever reads functions/ or infra/ does so from the root.
    process.chdir(root);
    engine = startEngine(flags, root, say);
    await engine.ready;
    await end(1, await engine.died);
  } catch (error) {
    await end(1, reasonOf(error));
  }
}

const PARENT_LOOKED_AT_MS = 1000;

// Ended by a supervisor, npm takes nobody along. The engine it started then has another parent, and nobody who knows
// of it, but still holds the port.
function endWithNpm(end: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_LOOKED_AT_MS);
  timer.unref();
}
