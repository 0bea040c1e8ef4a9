import { parseArgs } from 'node:util';
import { momentOf } from '../admin/moment.ts';
import { reasonOf } from '../local/reason.ts';

const PARSED = {
  content: { type: 'string' },
  trust: { type: 'string', multiple: true, default: [] as string[] },
  at: { type: 'string' },
  offline: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Undefined when help was asked for, or nothing. @example readOptions(['report.signed.pdf', '--json']) */
export function readOptions(argv: readonly string[], nowMs = Date.now()) {
  const { values, positionals } = parsed(argv);
  if (values.help || argv.length === 0) return undefined;
  const [file, ...more] = positionals;
  if (file === undefined) throw new Error('Name the file to verify. See: npm run verify -- --help');
  if (more.length > 0)
    throw new Error(
      `One file is verified at a time, and ${positionals.length} were named. What a detached signature is over follows --content.`,
    );
  const { at, ...rest } = values;
  return { ...rest, file, atMs: at === undefined ? nowMs : Date.parse(momentOf(at, nowMs)) };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: PARSED, strict: true, allowPositionals: true });
  } catch (error) {
    throw new Error(`${reasonOf(error).split('. ')[0]}. See: npm run verify -- --help`);
  }
}
