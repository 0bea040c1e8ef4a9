import { resolve } from 'node:path';
import { HELP, parseCommandLine } from '../shared/command-line/parse.ts';
import { CommandRefusal } from '../shared/command-line/reason.ts';
import type { TokenChoice } from './keys/pkcs11/module.ts';

export const USAGE = `The workstation agent: holds a certificate for a signing session server.

  sinete-agent enrol --server URL --code CODE [--name NAME] [--data DIR]
  sinete-agent run --p12 FILE [options]
  sinete-agent run --pkcs11 MODULE [--token LABEL | --slot N] [options]
  sinete-agent status [--data DIR]

In the repository: npm run agent -- enrol … Without a command, npm run agent is the agent of the sandbox's holder and
connects to the engine of npm start; npm run agent -- --data DIR to an engine that was started with --data DIR.

Enrol
  --server URL     the base URL of the session server, such as https://sign.example/session
  --code CODE      from its operator: npm run admin -- agents code
  --name NAME      how the operator knows this workstation; the machine's name by default

Run
  --p12 FILE       the certificate and its key are in this PKCS#12 file
  --pkcs11 MODULE  they are in a token; the path of its PKCS#11 module
  --token LABEL    which token, where several are in
  --slot N         the same by its slot
  --idle SECONDS   how long a PIN that is not used stays in memory; 8 hours by default
  --page-port N    the port of the holder's page, on this machine only; any that is free by default
  --no-page        no page: the holder is asked in the terminal, if there is one
  --no-open        does not open the page in a browser when something is asked and there is no terminal

  --data DIR       where the agent's own keys are; ~/.sinete-agent by default
`;

const OPTIONS = {
  server: { type: 'string' },
  code: { type: 'string' },
  name: { type: 'string' },
  data: { type: 'string' },
  p12: { type: 'string' },
  pkcs11: { type: 'string' },
  token: { type: 'string' },
  slot: { type: 'string' },
  idle: { type: 'string' },
  'page-port': { type: 'string' },
  'no-page': { type: 'boolean', default: false },
  'no-open': { type: 'boolean', default: false },
  ...HELP,
} as const;

const RUN_OPTIONS = ['data', 'idle', 'page-port', 'no-page', 'no-open', 'help'];

const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  '': RUN_OPTIONS,
  run: [...RUN_OPTIONS, 'p12', 'pkcs11', 'token', 'slot'],
  enrol: ['server', 'code', 'name', 'data', 'help'],
  status: ['data', 'help'],
};

export const COMMANDS: readonly string[] = Object.keys(OPTIONS_OF).filter((command) => command !== '');

export type Options = ReturnType<typeof readOptions>;

/** @example readOptions(['run', '--p12', 'ana.p12']) */
export function readOptions(argv: readonly string[]) {
  const { values, positionals, tokens } = parse(argv);
  const command = positionals.join(' ');
  refuseMisplaced(command, tokens);
  const { idle, slot, data, 'page-port': port, ...rest } = values;
  return {
    ...rest,
    command,
    dataDir: data === undefined ? undefined : resolve(data),
    idleMs: idle === undefined ? undefined : wholeNumber('idle', idle, 1) * 1000,
    slot: slot === undefined ? undefined : wholeNumber('slot', slot, 0),
    pagePort: values['no-page'] ? undefined : port === undefined ? 0 : wholeNumber('page-port', port, 1),
  };
}

const parse = (argv: readonly string[]) =>
  parseCommandLine(
    { args: [...argv], options: OPTIONS, strict: true, allowPositionals: true, tokens: true },
    'sinete-agent --help',
  );

type Token = ReturnType<typeof parse>['tokens'][number];

/** Refuses an option that the command does not read, instead of ignoring it. */
function refuseMisplaced(command: string, tokens: readonly Token[]): void {
  const allowed = OPTIONS_OF[command];
  const given = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const misplaced = allowed && given.find((name) => !allowed.includes(name));
  if (misplaced === undefined) return;
  const where = command === '' ? 'goes with a command, such as run or enrol' : `is no option of ${command}`;
  throw new CommandRefusal(`--${misplaced} ${where}. See: sinete-agent --help`);
}

function wholeNumber(option: string, text: string, min: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= min) return number;
  throw new CommandRefusal(`--${option} takes a whole number of at least ${min}, not "${text}".`);
}

/** The file or the token that holds the key: exactly one of them must be named. */
export function storeNamed({
  p12,
  pkcs11,
  token,
  slot,
}: Options): { p12: string } | { pkcs11: string; choice: TokenChoice } {
  if (p12 !== undefined && pkcs11 === undefined) return { p12: resolve(p12) };
  if (pkcs11 !== undefined && p12 === undefined) {
    const choice = { ...(token !== undefined && { label: token }), ...(slot !== undefined && { slot }) };
    return { pkcs11: resolve(pkcs11), choice };
  }
  throw new CommandRefusal('Name where the key is: --p12 FILE, or --pkcs11 MODULE. See: sinete-agent --help');
}
