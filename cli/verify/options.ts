import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { isSelector, NO_SELECTOR } from '../../shared/signing/xades/xml/selector.ts';
import { parseTime } from '../arguments/time.ts';

export const USAGE = `Verifies the signatures of files: PDF (PAdES), CMS in DER, BER or PEM (CAdES), or XML (XAdES).

  npm run verify -- FILE [options]
  npm run verify -- FILE... FOLDER... [options]

One file is reported in full. Several files, or folders with all that is below them, get a line each and a last line
with counts. In a folder, hidden files and what is no PDF, XML or CMS file are skipped, and contract.pdf.p7s is
verified over contract.pdf.

  --details          the full report on each of several files
  --content FILE     what a detached signature is over; for one file only
  --covers ELEMENT   of an XML document this element must be signed; repeat it for several.
                     By default the whole document must be
  --trust FILE       the roots to trust, in PEM or DER; repeat it for several.
                     By default the sandbox's, .local/pki/root.crt
  --at TIME          judge certificates as of this time: 2026-01-31T12:00:00Z, or 2026-01-31 for its first moment.
                     By default now. A trusted timestamp in the signature goes before both
  --offline          fetch nothing: judge by what the file holds
  --json             the report as JSON; of several files { files, summary }

The exit code is 0 when every signature is valid, 1 when one is not, and 2 when that cannot be told: no signature,
a file that cannot be read, something unsupported or missing, or a certificate whose status nobody tells. Of several
files it is 1 when one is not valid, else 2 when one cannot be told. docs/verification.md explains reports.
`;

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

/** Undefined for --help and for an empty command line. @example readOptions(['report.signed.pdf', '--json']) */
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
      `--content names the content of one detached signature, and ${positionals.length} files were named. Verify that signature alone.`,
    );
  const unclear = values.covers.find((selector) => !isSelector(selector));
  if (unclear !== undefined) throw new Error(`--covers "${unclear}" ${NO_SELECTOR}`);
  const { at, ...rest } = values;
  return { ...rest, names: positionals, atMs: at === undefined ? nowMs : Date.parse(parseTime(at, nowMs)) };
}
