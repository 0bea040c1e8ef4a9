import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python of at least this version that can make virtual environments, or undefined. */
export async function findPython([major, minor]: readonly [number, number]): Promise<string | undefined> {
  const check = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${major}, ${minor}))`;
  for (const command of ['python3', 'python3.14', 'python3.13', 'python3.12', ...(await ofPyenv())])
    if (await succeeds(command, ['-c', check])) return command;
  return undefined;
}

/** A Java of at least this version, or undefined. */
export async function findJava(atLeast: number): Promise<string | undefined> {
  const { stderr } = await run('java', ['-version']).catch(() => ({ stderr: '' }));
  const [, version] = /version "(\d+)/.exec(stderr) ?? [];
  return Number(version) >= atLeast ? 'java' : undefined;
}

export const hasMaven = (): Promise<boolean> => succeeds('mvn', ['--version']);

// pyenv shows a shell only one of those that it has.
async function ofPyenv(): Promise<string[]> {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const names = await readdir(versions).catch(() => []);
  return names
    .filter((name) => /^3\.\d+\.\d+$/.test(name))
    .sort((a, b) => Number(b.split('.')[1]) - Number(a.split('.')[1]))
    .map((name) => join(versions, name, 'bin/python3'));
}

const succeeds = (command: string, args: readonly string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );
