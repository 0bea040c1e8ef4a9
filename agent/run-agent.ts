import { CONSOLE, type Speech } from '../shared/command-line/output.ts';
import { enrol } from './commands/enrol.ts';
import { type RunWish, run } from './commands/run.ts';
import { status } from './commands/status.ts';
import { defaultDataDir } from './identity.ts';
import { pkcs11Store } from './keys/pkcs11-store.ts';
import { pkcs12Store } from './keys/pkcs12-store.ts';
import { type Options, readOptions, storeNamed } from './options.ts';
import { AgentRefusal } from './refusal.ts';
import { USAGE } from './usage.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs one command and gives the exit code. @example process.exitCode = await runAgent(['status']) */
export async function runAgent(argv: readonly string[], speech: Speech = CONSOLE): Promise<number> {
  try {
    await command(readOptions(argv), speech);
    return 0;
  } catch (error) {
    if (!(error instanceof AgentRefusal)) throw error;
    speech.complain(error.message);
    return 1;
  }
}

async function command(options: Options, speech: Speech): Promise<void> {
  const { word, help, server, code, name } = options;
  const dataDir = options.dataDir ?? defaultDataDir();
  if (help) return speech.say(USAGE);
  if (word === '') return runUntilSignal(await sandboxWish(options, speech), speech);
  if (word === 'status') return status(dataDir, speech);
  if (word === 'run') return runUntilSignal({ ...wishOf(options), dataDir }, speech);
  if (word !== 'enrol') throw new AgentRefusal(`There is no command "${word}". See: sinete-agent --help`);
  if (!server || !code) throw new AgentRefusal('Usage: sinete-agent enrol --server URL --code CODE');
  return enrol({ server, code, name, dataDir }, speech);
}

const commonWish = ({ pagePort, idleMs, ...options }: Options) => ({
  pagePort,
  opensBrowser: !options['no-open'] && !process.stdin.isTTY,
  ...(idleMs !== undefined && { times: { idleMs } }),
});

function wishOf(options: Options): Omit<RunWish, 'dataDir'> {
  const named = storeNamed(options);
  return {
    ...commonWish(options),
    openStore: () => ('p12' in named ? pkcs12Store(named.p12) : pkcs11Store(named.pkcs11, named.choice)),
  };
}

async function sandboxWish(options: Options, speech: Speech): Promise<RunWish> {
  // Only here: an agent at a workstation has no engine, and need not load one.
  const { DEFAULT_ENGINE_DIR, sandboxAgent } = await import('../cli/agent/sandbox.ts');
  // The engine's folder, by the name that npm start has for it.
  const engineDir = options.dataDir ?? process.env.Local__DataDir ?? DEFAULT_ENGINE_DIR;
  return { ...commonWish(options), ...(await sandboxAgent(engineDir, speech)) };
}

async function runUntilSignal(wish: RunWish, speech: Speech): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await run(wish, speech, stop);
    speech.say('Stopped.');
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
