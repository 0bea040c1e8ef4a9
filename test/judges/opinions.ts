import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DSS, JUDGES, PYHANKO } from '../../infra/install/judges.mjs';
import { isInstalled } from '../../infra/install/tools.mjs';

/** What a judge says of a file. */
export type Opinion = {
  readonly file: string;
  /** Why the file was not judged. */
  readonly problem?: string;
  readonly signatures: readonly {
    /** TOTAL_PASSED, TOTAL_FAILED or INDETERMINATE. */
    readonly indication: string;
    /** The sub-indication of EN 319 102-1. */
    readonly reason: string | null;
    /** Such as PAdES-BASELINE-LTA, or LTA. */
    readonly level: string | null;
    readonly errors: readonly string[];
  }[];
};

/** A file, and the content of a detached signature. */
export type Judged = { readonly path: string; readonly content?: string | undefined };

const missing = JUDGES.filter(({ isThere }) => !isThere()).map(({ command }) => command);
if (!isInstalled({ command: 'javac' })) missing.push('javac');

/** The judges that are not installed, and the compiler that one of them needs. */
export const missingJudges: readonly string[] = missing;
if (missing.length > 0 && process.env.CI)
  throw new Error(`CI judges with ${missing.join(' and ')}: npm run install:judges`);
if (missing.length > 0)
  console.warn(
    `${missing.join(' and ')} are not installed: what they would judge is skipped. Install them: npm run install:judges`,
  );

export const hasJudges = missing.length === 0;

const run = promisify(execFile);
const lineOf = ({ path, content }: Judged): string => (content === undefined ? path : `${path}\t${content}`);

/** EU DSS, with the policy that comes with it. */
export async function askDss(files: readonly Judged[], roots: readonly string[]): Promise<Opinion[]> {
  return ask('java', [...(await javaOptions()), 'Judge', ...roots], files);
}

/** pyHanko, which reads no XML. */
export const askPyhanko = (files: readonly Judged[], roots: readonly string[]): Promise<Opinion[]> =>
  ask(
    join(String(PYHANKO), 'bin/python'),
    [join(import.meta.dirname, 'pyhanko/judge.py'), ...roots],
    files.filter(({ path }) => !path.endsWith('.xml')),
  );

async function ask(command: string, words: readonly string[], files: readonly Judged[]): Promise<Opinion[]> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(files.map(lineOf).join('\n'));
  const said = (await buffer(child.stdout)).toString();
  return said.trim() === ''
    ? []
    : said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
}

/** The options of `java` for the programs of dss/, which are compiled where they have changed. */
export async function javaOptions(): Promise<string[]> {
  const sources = globSync(join(import.meta.dirname, 'dss/*.java')).toSorted();
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  const classes = join(String(DSS), 'classes', hash.digest('hex').slice(0, 12));
  const jars = join(String(DSS), '*');
  if (!existsSync(classes)) {
    mkdirSync(dirname(classes), { recursive: true });
    const made = mkdtempSync(`${classes}-`);
    try {
      await run('javac', ['-cp', jars, '-d', made, ...sources]);
      // Another run may have made the same.
      if (!existsSync(classes)) renameSync(made, classes);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  // Most code runs a few times only: the first compiler is enough.
  return ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${jars}:${classes}`];
}
