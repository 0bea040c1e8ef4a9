import { momentOf } from '../admin/moment.ts';
import { commandLine, HELP } from '../command-line.ts';

const PARSED = {
  content: { type: 'string' },
  trust: { type: 'string', multiple: true, default: [] as string[] },
  at: { type: 'string' },
  offline: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  ...HELP,
} as const;

export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Undefined when help was asked for, or nothing. @example readOptions(['report.signed.pdf', '--json']) */
export function readOptions(argv: readonly string[], nowMs = Date.now()) {
  const { values, positionals } = commandLine(
    { args: [...argv], options: PARSED, strict: true, allowPositionals: true },
    'npm run verify',
  );
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
