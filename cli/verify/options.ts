import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { isSelector, NO_SELECTOR } from '../../shared/signing/xades/xml/selector.ts';
import { momentOf } from '../common/moment.ts';

const PARSED = {
  content: { type: 'string' },
  covers: { type: 'string', multiple: true, default: [] as string[] },
  trust: { type: 'string', multiple: true, default: [] as string[] },
  at: { type: 'string' },
  offline: { type: 'boolean', default: false },
  details: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  ...HELP,
} as const;

export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Undefined when help was asked for, or nothing. @example readOptions(['report.signed.pdf', '--json']) */
export function readOptions(argv: readonly string[], nowMs = Date.now()) {
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options: PARSED, strict: true, allowPositionals: true },
    'npm run verify -- --help',
  );
  if (values.help || argv.length === 0) return undefined;
  if (positionals.length === 0)
    throw new Error('Name the files or folders to verify. See: npm run verify -- --help');
  if (values.content !== undefined && positionals.length > 1)
    throw new Error(
      `--content is what one detached signature is over, and ${positionals.length} files were named. Verify that signature alone.`,
    );
  const unclear = values.covers.find((selector) => !isSelector(selector));
  if (unclear !== undefined) throw new Error(`--covers "${unclear}" ${NO_SELECTOR}`);
  const { at, ...rest } = values;
  return { ...rest, names: positionals, atMs: at === undefined ? nowMs : Date.parse(momentOf(at, nowMs)) };
}
