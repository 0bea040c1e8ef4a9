import { isDiskFull, reasonOf } from '../../../shared/command-line/reason.ts';
import { type Engine, startEngine } from './engine.ts';
import { type Flags, readFlags, USAGE } from './flags.ts';
import { whenNpmEnds } from './launcher.ts';

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
      say(USAGE);
      return await end(0);
    }
    // Whatever reads functions/ or infra/ does so from the root.
    process.chdir(root);
    engine = startEngine(flags, root, say);
    await engine.ready;
    await end(1, await engine.died);
  } catch (error) {
    await end(1, isDiskFull(error) ? diskFull(flags) : reasonOf(error));
  }
}

// Nothing of what stands in the error: the advice in it is for data that is broken, and this is not.
const diskFull = (flags: Flags | undefined): string =>
  `The disk is full: nothing could be written to ${flags?.dataDir ?? 'the data folder'}. Make room and start again. What was acknowledged is kept.`;
