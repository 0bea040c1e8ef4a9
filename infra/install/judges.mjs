// The programs of others that judge our signatures, where tests and the bench find them: EU DSS, a Java library, and pyHanko, a
// Python one. Run by itself, this installs those that are missing, below ~/.cache/sinete/judges: npm run install:judges
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchFromMaven } from './maven.mjs';

const tests = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'test/judges');
const kept = join(homedir(), '.cache/sinete/judges');

/** In a folder of its own for each list of versions: an older checkout keeps its own. */
function placeOf(name, list) {
  const file = join(tests, list);
  if (!existsSync(file)) return undefined;
  const versions = readFileSync(file, 'utf8');
  const folder = join(kept, `${name}-${createHash('sha256').update(versions).digest('hex').slice(0, 12)}`);
  return { file, versions, folder };
}

const dss = placeOf('dss', 'dss/jars.lock');
const pyhanko = placeOf('pyhanko', 'pyhanko/requirements.txt');

/** The folder of the jars. */
export const DSS = dss?.folder;
/** The folder of the virtual environment. */
export const PYHANKO = pyhanko?.folder;

const COMPLETE = 'complete';
const isComplete = (folder) => folder !== undefined && existsSync(join(folder, COMPLETE));

/** For doctor and the tests. */
export const JUDGES = [
  { command: 'EU DSS', use: 'a second opinion on all signatures', isThere: () => isComplete(DSS) },
  { command: 'pyHanko', use: 'a second opinion on PDFs and CMS', isThere: () => isComplete(PYHANKO) },
];

async function installDss({ versions, folder }) {
  mkdirSync(kept, { recursive: true });
  const made = mkdtempSync(join(kept, 'dss-'));
  const jars = versions
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  await fetchFromMaven(Object.fromEntries(jars), made);
  writeFileSync(join(made, COMPLETE), '');
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}

// Where it stays: a virtual environment knows its own path.
function installPyhanko({ file, folder }) {
  rmSync(folder, { recursive: true, force: true });
  const run = (command, ...words) => execFileSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('python3', '-m', 'venv', folder);
  run(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '--requirement', file);
  writeFileSync(join(folder, COMPLETE), '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await Promise.allSettled([
    !dss || isComplete(DSS) ? undefined : installDss(dss),
    (async () => (!pyhanko || isComplete(PYHANKO) ? undefined : installPyhanko(pyhanko)))(),
  ]);
  for (const [at, { reason }] of results.entries()) {
    if (!reason) continue;
    console.error(`${JUDGES[at].command} could not be installed: ${reason.message}`);
    process.exitCode = 1;
  }
}
