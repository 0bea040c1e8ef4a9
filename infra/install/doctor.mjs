// `npm run doctor` says what is missing on this machine, and what to do. Plain JavaScript that any Node can read. The exit code
// is 1 where `npm start` could not work.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CLIENT_PACKAGES, isComplete } from './clients.mjs';
import { ENGINES, isEngineInstalled } from './engines/installed.mjs';
import { JUDGES } from './judges.mjs';
import { FOR_DOCS, FOR_TESTS, isInstalled } from './tools.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MB = 1024 * 1024;
const MIN_NODE = [20, 0];
/** The first Node that reads TypeScript by itself, as in infra/local/start.mjs. */
const MIN_ENGINE_NODE = [22, 18];
/** The built functions, the sandbox and a few documents. */
const MIN_DATA_MB = 200;
/** Packages with the archives that npm keeps of them. */
const MIN_INSTALL_MB = 1_200;

const flags = readFlags();

/** As `npm start` has them. */
function readFlags() {
  try {
    const text = { type: 'string' };
    const { port = '3000', data = join(root, '.local') } = parseArgs({
      options: { port: text, data: text },
    }).values;
    if (!(Number(port) > 0 && Number(port) < 65_536)) throw new Error(`--port ${port} is no port.`);
    return { port: Number(port), data: resolve(data) };
  } catch (error) {
    console.error(`${error.message} Use: npm run doctor -- [--port N] [--data DIR]`);
    process.exit(1);
  }
}

const isAtLeast = (version, [major, minor]) => {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

const ok = (text) => ({ ok: true, text });
const missing = (text) => ({ ok: false, text });

/** npm names the Node that runs it; scripts have the one of node_modules before it. */
function checkNode() {
  const [, ofNpm = process.versions.node] =
    / node\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
  if (!isAtLeast(ofNpm, MIN_NODE))
    return missing(`Node ${ofNpm} is too old. Install Node 24 from https://nodejs.org, then run: npm ci`);
  return ok(`Node ${ofNpm} runs npm.`);
}

function checkRuntime() {
  const own = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const version = existsSync(own) ? versionOf(own) : undefined;
  if (version) return ok(`Node ${version} of node_modules runs the engine.`);
  if (isAtLeast(process.versions.node, MIN_ENGINE_NODE))
    return ok(`Node ${process.versions.node} runs the engine.`);
  return missing(
    'The Node that runs the engine is not in node_modules. Run `npm ci`, without --ignore-scripts.',
  );
}

function versionOf(command) {
  try {
    return execFileSync(command, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  } catch {
    return undefined;
  }
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** What package-lock.json says beside what lies in node_modules. Optional packages may be left out. */
function checkPackages() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json')))
    return missing('No packages are installed. Run: npm ci');
  const locked = readJson(join(root, 'package-lock.json')).packages;
  const { dependencies = {}, devDependencies = {} } = locked[''];
  const stale = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const place = `node_modules/${name}`;
    const file = join(root, place, 'package.json');
    return !existsSync(file) || readJson(file).version !== locked[place]?.version;
  });
  if (stale.length === 0) return ok('Packages are as package-lock.json says.');
  return missing(`${stale.length} packages are missing or of another version (${stale[0]}). Run: npm ci`);
}

async function checkPort() {
  const { port } = flags;
  if (await isFree(port)) return ok(`Port ${port} is free.`);
  const engine = runningEngine();
  if (engine?.port === port) return ok(`An engine runs already: ${engine.url}.`);
  return missing(
    `Port ${port} is taken by another program. Stop it, or use another: npm start -- --port ${port + 100}`,
  );
}

function runningEngine() {
  try {
    return readJson(join(flags.data, 'engine.json'));
  } catch {
    return undefined;
  }
}

/** `localhost` may mean either address, and each can be in use alone. One that the machine does not have is not in use. */
const isFree = async (port) => {
  const found = await Promise.all(['127.0.0.1', '::1'].map((host) => isFreeAt(host, port)));
  return found.every(Boolean);
};

const isFreeAt = (host, port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

/** The folder itself, or the nearest one above that is there. */
const nearest = (path) => (existsSync(path) ? path : nearest(dirname(path)));

function checkFolder() {
  const { data } = flags;
  const folder = nearest(data);
  if (!statSync(folder).isDirectory())
    return missing(
      `${folder} is a file, and the data folder would be there. Use another: npm start -- --data DIR`,
    );
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return missing(
      `${folder} cannot be written by you. Change its owner, or use another: npm start -- --data DIR`,
    );
  }
  return ok(`Data may be written to ${data}.`);
}

function checkSpace() {
  const { bavail, bsize } = statfsSync(nearest(flags.data));
  const free = Math.floor((bavail * bsize) / MB);
  const needed = existsSync(join(root, 'node_modules')) ? MIN_DATA_MB : MIN_INSTALL_MB;
  if (free < needed) return missing(`The disk has ${free} MB left, and ${needed} MB are needed. Make room.`);
  return ok(`The disk has ${free} MB left.`);
}

function checkTools(tools) {
  return tools.map((tool) => {
    const { file, module, command = module ?? basename(file), use, package: name = command } = tool;
    return isInstalled(tool)
      ? ok(command)
      : missing(`${command}, for ${use}. On Debian: apt-get install ${name}`);
  });
}

const checkJudges = () =>
  JUDGES.map(({ command, use, isThere }) =>
    isThere() ? ok(command) : missing(`${command}, for ${use}. Run: npm run install:judges`),
  );

const checkClientPackages = () =>
  CLIENT_PACKAGES.map((packages) =>
    isComplete(packages)
      ? ok(`packages for ${packages.use}`)
      : missing(`packages for ${packages.use}. Run: npm run install:clients`),
  );

const checkEngines = () =>
  Object.entries(ENGINES).map(([name, { version, needs }]) =>
    isEngineInstalled(name)
      ? ok(`${name} ${version}`)
      : missing(`${name} ${version}, which needs ${needs}. Run: npm run install:engines -- ${name}`),
  );

const print = (title, checks) => {
  console.log(`\n${title}`);
  for (const { ok: isOk, text } of checks) console.log(`  ${isOk ? 'ok      ' : 'MISSING '} ${text}`);
};

const needed = [checkNode(), checkPackages(), checkRuntime(), await checkPort(), checkFolder(), checkSpace()];
print('npm start', needed);
print('The commands of README.md and docs/', checkTools(FOR_DOCS));
print('npm test', [...checkTools(FOR_TESTS), ...checkJudges(), ...checkClientPackages()]);
print('npm run test:stores -- --all', checkEngines());
const works = needed.every(({ ok: isOk }) => isOk);
console.log(
  works ? '\n`npm start` works on this machine.' : '\n`npm start` does not work yet: see MISSING above.',
);
process.exitCode = works ? 0 : 1;
