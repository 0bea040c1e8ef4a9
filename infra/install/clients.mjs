// The tools of the clients in other languages (examples/clients), where tests find them: packages of Java and Python, and the
// library of Go, below ~/.cache/sinete/clients. Run by itself, this installs what is missing: npm run install:clients
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './tools.mjs';

const programs = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples/clients');
const kept = join(homedir(), '.cache/sinete/clients');
const COMPLETE = 'complete';

/** In a folder of its own for each list of versions: an older checkout keeps its own. */
function placeOf(name, list) {
  const file = join(programs, list);
  // The image of a release has no examples.
  const versions = existsSync(file) ? readFileSync(file) : '';
  const hash = createHash('sha256').update(versions).digest('hex');
  return join(kept, `${name}-${hash.slice(0, 12)}`);
}

/** Maven's repository. */
export const MAVEN = placeOf('maven', 'java/pom.xml');
/** A virtual environment. */
export const VENV = placeOf('python', 'python/requirements.txt');
/** What Go has compiled. */
export const GO = placeOf('go', 'go/go.mod');
export const GO_ENV = { GOCACHE: GO, GOFLAGS: '-trimpath', CGO_ENABLED: '0' };

/** For doctor and the tests. */
export const CLIENT_PACKAGES = [
  { tool: 'mvn', use: 'the client in Java', place: MAVEN, install: installMaven },
  { tool: 'go', use: 'the client in Go', place: GO, install: installGo },
  { tool: 'python3', use: 'the client in Python', place: VENV, install: installVenv },
];

export const isComplete = ({ place }) => existsSync(join(place, COMPLETE));

function run(command, ...words) {
  const env = { ...process.env, ...GO_ENV };
  const { status, error } = spawnSync(command, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
}

// Plugins are loaded with what they need when they run, and in no other way.
function installMaven() {
  const project = mkdtempSync(join(tmpdir(), 'sinete-maven-'));
  try {
    cpSync(join(programs, 'java/pom.xml'), join(project, 'pom.xml'));
    const source = join(project, 'src/main/java');
    mkdirSync(source, { recursive: true });
    writeFileSync(
      join(source, 'Main.java'),
      'public class Main { public static void main(String[] words) {} }\n',
    );
    run('mvn', '-q', '-B', `-Dmaven.repo.local=${MAVEN}`, '-f', project, 'compile', 'exec:java');
  } finally {
    rmSync(project, { recursive: true });
  }
}

// There is nothing to fetch; its own library is compiled once, in half a minute.
function installGo() {
  run('go', 'build', 'net/http', 'encoding/json');
}

// Where it stays: a virtual environment knows its own path.
function installVenv() {
  const requirements = join(programs, 'python/requirements.txt');
  run('python3', '-m', 'venv', VENV);
  run(
    join(VENV, 'bin/pip'),
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--requirement',
    requirements,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const packages of CLIENT_PACKAGES) {
    const { tool, use, place, install } = packages;
    if (isComplete(packages)) continue;
    try {
      if (!isInstalled({ command: tool })) throw new Error(`${tool} is not installed`);
      install();
      writeFileSync(join(place, COMPLETE), '');
    } catch (error) {
      console.error(`The packages for ${use} are missing: ${error.message}`);
      // Elsewhere its test is skipped.
      if (process.env.CI) process.exitCode = 1;
    }
  }
