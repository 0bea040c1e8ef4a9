import { configPath, namesConfig } from '../../infra/host/config/flags.ts';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { parseCommandLine } from '../../shared/command-line/parse.ts';
import { isDiskFull } from '../../shared/command-line/reason.ts';
import { readNamedValues } from '../../shared/settings/named-values.ts';
import { KEYED_SERVICES, SERVICES, type ServiceName } from '../../shared/settings/names.ts';
import { commandFor, type Found } from './commands.ts';
import { OPTIONS, USAGE } from './options.ts';
import { reachHost, reachStores, refreshEngine } from './reach-stores.ts';

/** `npm run admin`: does one command, and gives the exit code. @example await runAdmin(['apps', 'list', '--service', 'hub']) */
export async function runAdmin(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    await run(argv, output);
    return 0;
  } catch (error) {
    output.printError(explain(error));
    return 1;
  }
}

async function run(argv: readonly string[], { print }: Output): Promise<void> {
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options: OPTIONS, allowPositionals: true },
    'npm run admin -- --help',
  );
  if (values.help || positionals.length === 0) return print(USAGE);
  const found = commandFor(positionals);
  const services = servicesFor(found, values.service);
  const place = { stage: values.stage, dataDir: values.data ?? process.env.Local__DataDir ?? '.local' };
  const isHost = namesConfig(values.config);
  if (isHost && !found.offline) await reachHost(configPath(values.config));
  else if (!found.offline) reachStores(place);
  // What it makes is for the stage all the same.
  else process.env.STAGE = values.stage;
  if (!found.offline) await readNamedValues();
  for (const service of services) {
    const { expires, identifier, owner, cpf } = values;
    const pin = { file: values['pin-file'], variable: values['pin-env'] };
    const permissions = values.permission ?? [];
    const dryRun = values['dry-run'];
    const { into } = values;
    const options = {
      service,
      permissions,
      expires,
      identifier,
      owner,
      cpf,
      pin,
      hub: values,
      callouts: values,
      shares: values,
      university: values,
      dryRun,
      into,
      installation: values,
    };
    print(await found.run(options, ...found.rest));
  }
  if (!found.offline && !isHost) await refreshEngine(place);
}

/** The services that a command acts on: its own, those that are named, or all where it may act on any. */
function servicesFor({ only, rest }: Found, given: readonly string[] | undefined): readonly ServiceName[] {
  // It acts once, on all: which one is named does not matter to it.
  if (only === 'installation') return SERVICES.slice(0, 1);
  if (only !== undefined && only !== 'any') return [only];
  if (only === 'any' && !given && rest.length === 0) return SERVICES;
  const known: readonly ServiceName[] = only === 'any' ? SERVICES : KEYED_SERVICES;
  if (!given) throw new Error(`Name a --service: ${known.join(', ')}.`);
  const unknown = given.find((name) => !known.some((service) => service === name));
  if (unknown && only === 'any')
    throw new Error(`There is no service "${unknown}". Name one of: ${known.join(', ')}.`);
  if (unknown)
    throw new Error(`There are no applications in a service "${unknown}". Name one of: ${known.join(', ')}.`);
  return given as ServiceName[];
}

// The network's own message for a store out of reach is a code, or empty where several addresses were tried.
function explain(error: unknown): string {
  const { message, code, path } = error as NodeJS.ErrnoException;
  if (!/^E(?!RR_)[A-Z_]+$/.test(code ?? '') || path !== undefined || isDiskFull(error)) return message;
  return `The store does not answer (${message || code}). Is it running, and are the endpoint and region right?`;
}
