import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TokenChoice } from './keys/pkcs11-module.ts';
import { AgentRefusal } from './refusal.ts';

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
  help: { type: 'boolean', default: false },
} as const;

const HOLDERS_OPTIONS = ['data', 'idle', 'page-port', 'no-page', 'no-open', 'help'];

// Without a word it is the sandbox's agent.
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  '': HOLDERS_OPTIONS,
  run: [...HOLDERS_OPTIONS, 'p12', 'pkcs11', 'token', 'slot'],
  enrol: ['server', 'code', 'name', 'data', 'help'],
  status: ['data', 'help'],
};

export type Options = ReturnType<typeof readOptions>;

/** @example readOptions(['run', '--p12', 'ana.p12']) */
export function readOptions(argv: readonly string[]) {
  const { values, positionals, tokens } = parsed(argv);
  refuseMisplaced(positionals.join(' '), tokens);
  const { idle, slot, data, 'page-port': port, ...rest } = values;
  return {
    ...rest,
    word: positionals.join(' '),
    dataDir: data === undefined ? undefined : resolve(data),
    idleMs: idle === undefined ? undefined : whole('idle', idle, 1) * 1000,
    slot: slot === undefined ? undefined : whole('slot', slot, 0),
    pagePort: values['no-page'] ? undefined : port === undefined ? 0 : whole('page-port', port, 1),
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: OPTIONS,
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
  } catch (error) {
    // The rest of Node's message is how to pass a dash.
    const [what] = (error as Error).message.split(/\.\s/);
    throw new AgentRefusal(`${what}. See: sinete-agent --help`);
  }
}

type Token = ReturnType<typeof parsed>['tokens'][number];

/** An option that its command would not look at is named, not ignored. */
function refuseMisplaced(word: string, tokens: readonly Token[]): void {
  const allowed = OPTIONS_OF[word];
  const given = tokens.flatMap((token) => (token.kind === 'option' ? token.name : []));
  const misplaced = allowed && given.find((name) => !allowed.includes(name));
  if (misplaced === undefined) return;
  const where = word === '' ? 'goes with a command, such as run or enrol' : `is no option of ${word}`;
  throw new AgentRefusal(`--${misplaced} ${where}. See: sinete-agent --help`);
}

function whole(option: string, text: string, least: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (number >= least) return number;
  throw new AgentRefusal(`--${option} takes a whole number of at least ${least}, not "${text}".`);
}

/** What was named of two things of which one is wanted. */
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
  throw new AgentRefusal('Name where the key is: --p12 FILE, or --pkcs11 MODULE. See: sinete-agent --help');
}
