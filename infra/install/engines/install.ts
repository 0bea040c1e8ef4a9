import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fetchFromMaven } from '../maven.mjs';
import { ENGINES, engineFolder, markOf } from './installed.mjs';
import { findJava, findPython, hasMaven } from './runtimes.ts';

const run = promisify(execFile);

/** This machine cannot have the engine. */
export class NotHere extends Error {}

/** How an engine is started: {port} stands for its port, and everything else is as it is. */
export type Start = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

const INSTALL: Record<string, (folder: string, version: string) => Promise<Start>> = {
  dynoxide: installDynoxide,
  'dynamodb-local': installDynamoDbLocal,
  moto: installMoto,
  localstack: installLocalStack,
};

/** Installs an engine from a registry of packages, in a folder that is there only when it is whole. */
export async function install(name: string): Promise<void> {
  const { version = '' } = ENGINES[name] ?? {};
  const folder = engineFolder(name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const start = await INSTALL[name]?.(folder, version);
    // By another name first: a run that is cut off leaves nothing that looks whole.
    await writeFile(`${markOf(name)}.new`, JSON.stringify(start, null, 2));
    await rename(`${markOf(name)}.new`, markOf(name));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function requireLinux(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NotHere(`there is none for ${process.platform} on ${process.arch}.`);
}

async function installDynoxide(folder: string, version: string): Promise<Start> {
  requireLinux();
  const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder];
  await run('npm', [...npm, `@dynoxide/linux-x64@${version}`]);
  const command = join(folder, 'node_modules/@dynoxide/linux-x64/dynoxide');
  return { command, args: ['serve', '--port', '{port}'], env: {} };
}

async function installDynamoDbLocal(folder: string): Promise<Start> {
  requireLinux();
  const java = await findJava(17);
  if (!java) throw new NotHere('Java 17 or newer is missing.');
  if (!(await hasMaven())) throw new NotHere('Maven is missing, which fetches it.');
  await fetchFromMaven(await readJson('dynamodb-local.json'), folder);
  const server = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const options = [`-Djava.library.path=${folder}`, '-cp', join(folder, '*'), server];
  const args = [...options, '-inMemory', '-sharedDb', '-disableTelemetry', '-port', '{port}'];
  return { command: java, args, env: {} };
}

async function installMoto(folder: string): Promise<Start> {
  const bin = await makeEnvironment(folder, 'moto.txt', [3, 10]);
  const args = ['--host', '127.0.0.1', '--port', '{port}'];
  return { command: join(bin, 'moto_server'), args, env: { MOTO_ACCOUNT_ID: '000000000000' } };
}

async function installLocalStack(folder: string): Promise<Start> {
  const bin = await makeEnvironment(folder, 'localstack.txt', [3, 12]);
  return {
    command: join(bin, 'python'),
    args: ['-m', 'localstack.runtime.main'],
    env: {
      SERVICES: 's3,sqs',
      GATEWAY_LISTEN: '127.0.0.1:{port}',
      // Nothing of the network: no measurements, no certificate for its public name, no server for names.
      DISABLE_EVENTS: '1',
      SKIP_SSL_CERT_DOWNLOAD: '1',
      DNS_ADDRESS: '0',
    },
  };
}

/** A virtual environment of Python with the packages of a file of pinned versions. */
async function makeEnvironment(
  folder: string,
  requirements: string,
  atLeast: readonly [number, number],
): Promise<string> {
  const python = await findPython(atLeast);
  if (!python) throw new NotHere(`Python ${atLeast.join('.')} or newer, with venv, is missing.`);
  await run(python, ['-m', 'venv', folder]);
  const bin = join(folder, 'bin');
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-input', '--only-binary', ':all:'];
  await run(join(bin, 'pip'), [...pip, '--requirement', join(import.meta.dirname, requirements)]);
  if (!existsSync(join(bin, 'python'))) throw new Error(`${folder} has no Python.`);
  return bin;
}

const readJson = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(join(import.meta.dirname, name), 'utf8'));
