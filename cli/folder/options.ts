import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultDataDir } from '../../infra/local/engine/flags.ts';
import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { LOCAL_STAGE } from '../../shared/settings/names.ts';
import { fileReason } from '../arguments/named-file.ts';

export const USAGE = `Synchronizes a directory with an input folder of the batch service: puts its files into the folder, waits for their jobs,
and downloads the signed files.

  npm run folder -- DIR --folder NAME [options]

  --folder NAME    the input folder, as GET /api/folders shows it
  --output DIR     where signed files go: DIR/signed unless given
  --once           ends when every file has ended. Without it, goes on until Ctrl-C
  --keep           leaves the originals of signed files in DIR

Where the service is
  --stage STAGE    local by default: the engine that runs on this machine. Any other: files are put into its bucket with
                   the AWS credentials, region and account of the environment
  --url URL        the base address of the batch service, such as https://example.com/batch. Needed with --stage
  --key-file FILE  the operator key is the first line of this file
  --key-env NAME   the operator key is this environment variable
                   With neither: the sandbox's key on this machine, otherwise it is asked for.
  --data DIR       the engine's data folder, .local by default

Files are taken once they are written to their end. Hidden files, ~$ files, .tmp, .part, .crdownload, .swp and .lease
files, links and folders are left alone. A file is removed from DIR only when its job is Completed, the job has signed
this very content, the signed file is downloaded, and the file has not changed since. Any other file stays.
The command may be stopped or killed at any time: the next one continues.

The exit code is 0, 1 if a file failed, or 2 with one line that says what stands in the way.
`;

const PARSED = {
  folder: { type: 'string' },
  output: { type: 'string' },
  once: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  stage: { type: 'string', default: LOCAL_STAGE },
  url: { type: 'string' },
  'key-file': { type: 'string' },
  'key-env': { type: 'string' },
  data: { type: 'string' },
  ...HELP,
} as const;

/** The checked options of a command line. Paths are absolute. */
export type Options = NonNullable<ReturnType<typeof readOptions>>;

const REPOSITORY = join(import.meta.dirname, '../..');

/** Undefined for --help and for an empty command line. @example readOptions(['scans', '--folder', 'inbox']) */
export function readOptions(argv: readonly string[]) {
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options: PARSED, strict: true, allowPositionals: true },
    'npm run folder -- --help',
  );
  if (values.help || argv.length === 0) return undefined;
  const [named, ...more] = positionals;
  if (named === undefined)
    throw new CommandRefusal('Name the directory to synchronize. See: npm run folder -- --help');
  if (more.length > 0)
    throw new CommandRefusal(`One directory is synchronized, and ${positionals.length} were named.`);
  if (!values.folder) throw new CommandRefusal('Name the input folder of the batch service: --folder NAME');
  const dir = requireDirectory(named);
  const output = resolve(values.output ?? join(dir, 'signed'));
  if (output === dir)
    throw new CommandRefusal('--output names DIR itself: signed files would be signed again. Name another.');
  if (values.stage !== LOCAL_STAGE && values.url === undefined)
    throw new CommandRefusal(
      `Name the batch service of stage ${values.stage}: --url https://HOST/STAGE/batch`,
    );
  return {
    dir,
    folder: values.folder.toLowerCase(),
    output,
    once: values.once,
    keep: values.keep,
    stage: values.stage,
    url: values.url === undefined ? undefined : requireUrl(values.url),
    key: { file: values['key-file'], variable: values['key-env'] },
    dataDir: resolve(values.data ?? process.env.Local__DataDir ?? defaultDataDir(REPOSITORY)),
  };
}

function requireDirectory(named: string): string {
  const dir = resolve(named);
  try {
    if (statSync(dir).isDirectory()) return dir;
  } catch (error) {
    throw new CommandRefusal(`${dir} cannot be read: ${fileReason(error)}`, { cause: error });
  }
  throw new CommandRefusal(`${dir} is a file. Name the directory that holds it.`);
}

function requireUrl(given: string): string {
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new CommandRefusal(`--url takes an http or https address, not "${given}".`);
  return given.replace(/\/+$/, '');
}
