import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { SERVICES, type ServiceName } from '../../shared/settings/names.ts';
import { reachStores } from '../common/reach-stores.ts';
import { commandFor } from './commands.ts';
import { HUB_OPTIONS } from './hub-options.ts';
import { USAGE } from './usage.ts';

const OPTIONS = {
  service: { type: 'string', multiple: true },
  permission: { type: 'string', multiple: true },
  expires: { type: 'string' },
  cpf: { type: 'string' },
  'pin-file': { type: 'string' },
  'pin-env': { type: 'string' },
  identifier: { type: 'string' },
  owner: { type: 'string' },
  ...HUB_OPTIONS,
  stage: { type: 'string', default: 'local' },
  data: { type: 'string', default: process.env.Local__DataDir ?? '.local' },
  ...HELP,
} as const;

// Those that know their callers by an application's key.
const KEYED = SERVICES.filter((service) => service !== 'batch' && service !== 'compact');

function servicesOf(given: readonly string[] | undefined): ServiceName[] {
  if (!given) throw new Error(`Name a --service: ${KEYED.join(', ')}.`);
  const unknown = given.find((name) => !KEYED.some((service) => service === name));
  if (unknown)
    throw new Error(`There are no applications in a service "${unknown}". Name one of: ${KEYED.join(', ')}.`);
  return given as ServiceName[];
}

async function main(): Promise<void> {
  const { values, positionals } = parseCommandLine(
    { options: OPTIONS, allowPositionals: true },
    'npm run admin -- --help',
  );
  if (values.help || positionals.length === 0) return console.log(USAGE);
  const { run, rest, only } = commandFor(positionals);
  const services = only ? [only] : servicesOf(values.service);
  reachStores({ stage: values.stage, dataDir: values.data });
  for (const service of services) {
    const { expires, identifier, owner, cpf } = values;
    const pin = { file: values['pin-file'], variable: values['pin-env'] };
    const permissions = values.permission ?? [];
    const options = { service, permissions, expires, identifier, owner, cpf, pin, hub: values };
    console.log(await run(options, ...rest));
  }
}

// A store that cannot be reached is told in the network's words, and several addresses tried in none at all.
function explained(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (!/^E(?!RR_)[A-Z_]+$/.test(code ?? '')) return message;
  return `The store does not answer (${message || code}). Is it running, and are the endpoint and region right?`;
}

try {
  await main();
} catch (error) {
  console.error(explained(error));
  process.exitCode = 1;
}
