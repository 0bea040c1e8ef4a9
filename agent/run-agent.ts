import { didYouMean } from '../shared/command-line/nearest.ts';
import { CONSOLE, type Output } from '../shared/command-line/output.ts';
import { CommandRefusal } from '../shared/command-line/reason.ts';
import { enrol } from './commands/enrol.ts';
import { type RunOptions, run } from './commands/run.ts';
import { status } from './commands/status.ts';
import { defaultDataDir } from './identity.ts';
import { pkcs11Store } from './keys/pkcs11/store.ts';
import { pkcs12Store } from './keys/pkcs12-store.ts';
import { COMMANDS, type Options, readOptions, storeNamed, USAGE } from './options.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The part of a run that depends on whose agent it is. */
export type Workstation = Pick<RunOptions, 'dataDir' | 'openStore' | 'attend' | 'server'>;

/** Gives the workstation of an agent that is started without a command. `--data` names another folder for it. */
type DefaultWorkstation = (dataDir: string | undefined, output: Output) => Promise<Workstation>;

/**
 * Runs one command and gives the exit code. Without a command it runs the default workstation, where there is one.
 * @example process.exitCode = await runAgent(['status'])
 */
export async function runAgent(
  argv: readonly string[],
  output: Output = CONSOLE,
  defaultWorkstation?: DefaultWorkstation,
): Promise<number> {
  try {
    await runCommand(readOptions(argv), output, defaultWorkstation);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandRefusal)) throw error;
    output.printError(error.message);
    return 1;
  }
}

async function runCommand(
  options: Options,
  output: Output,
  defaultWorkstation: DefaultWorkstation | undefined,
): Promise<void> {
  const { command, help, server, code, name } = options;
  const dataDir = options.dataDir ?? defaultDataDir();
  if (help) return output.print(USAGE);
  if (command === 'status') return status(dataDir, output);
  if (command === 'run') return runUntilSignal(options, { dataDir, openStore: storeOpener(options) }, output);
  if (command === 'enrol') {
    if (!server || !code) throw new CommandRefusal('Usage: sinete-agent enrol --server URL --code CODE');
    return enrol({ server, code, name, dataDir }, output);
  }
  if (command === '' && defaultWorkstation)
    return runUntilSignal(options, await defaultWorkstation(options.dataDir, output), output);
  const problem = command === '' ? 'Name a command.' : `There is no command "${command}".`;
  throw new CommandRefusal(`${problem}${didYouMean(command, COMMANDS)} See: sinete-agent --help`);
}

function storeOpener(options: Options): RunOptions['openStore'] {
  const named = storeNamed(options);
  return () => ('p12' in named ? pkcs12Store(named.p12) : pkcs11Store(named.pkcs11, named.choice));
}

async function runUntilSignal(options: Options, workstation: Workstation, output: Output): Promise<void> {
  const { pagePort, idleMs } = options;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const opensBrowser = !options['no-open'] && !process.stdin.isTTY;
    const times = idleMs === undefined ? {} : { times: { idleMs } };
    await run({ ...workstation, ...times, pagePort, opensBrowser }, output, stop);
    output.print('Stopped.');
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
