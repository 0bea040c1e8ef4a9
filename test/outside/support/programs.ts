import { execFile, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** A program that runs until it is stopped, with all that it started itself. */
export type Program = {
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  /** Resolves once it has printed the text, and fails if it ends before. */
  readonly until: (text: string | RegExp) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type ProgramOptions = {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
};

/** The environment of a user's shell, without the settings of this test run. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const isTests = (name: string) =>
    /^(VITEST|NODE_ENV$|NODE_COMPILE_CACHE$|STAGE$|TEST$|DEV$|PROD$|SSR$|AWS_|SINETE_|STORES_TEMPLATE$|npm_)|__/.test(
      name,
    );
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isTests(name)));
}

/** Starts a line of a shell, as somebody types it. */
export function start(command: string, options: ProgramOptions = {}): Program {
  const child = spawn('bash', ['-c', `exec </dev/null; ${command}`], {
    cwd: options.cwd ?? REPOSITORY,
    env: { ...userEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: npm, its shell and its program end together.
    detached: true,
  });
  let printed = '';
  const waiting = new Set<() => void>();
  const look = () => {
    for (const each of waiting) each();
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
      look();
    });
  let isOver = false;
  const exited = new Promise<void>((done) => {
    child.once('close', () => {
      isOver = true;
      look();
      done();
    });
  });
  const until = (text: string | RegExp) =>
    new Promise<void>((done, fail) => {
      const check = () => {
        if (typeof text === 'string' ? printed.includes(text) : text.test(printed)) done();
        else if (isOver) fail(new Error(`"${command}" ended: ${printed.slice(-4000)}`));
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });
  const stop = async () => {
    if (!isOver) process.kill(-(child.pid as number), 'SIGTERM');
    await exited;
  };
  return { printed: () => printed, until, stop };
}

/** Runs a line of a shell to its end, and gives what it printed on stdout. */
export async function run(command: string, options: ProgramOptions = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', `exec </dev/null\n${command}`],
    {
      cwd: options.cwd ?? REPOSITORY,
      env: { ...userEnvironment(), ...options.env },
      maxBuffer: 50_000_000,
      ...(options.timeout && { timeout: options.timeout }),
    },
  );
  return stdout;
}

/** A folder for a while: whoever asks for it removes it. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'sinete-outside-'));

/** A port that nobody listens at. */
export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
