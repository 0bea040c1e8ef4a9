import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../infra/local/engine/ports.ts';
import { killTrees } from '../../process-tree.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

export type EngineProcess = {
  port: number;
  url: string;
  dataDir: string;
  readyFile: string;
  process: ChildProcess;
  /** What it has printed so far. */
  printed: { out: string; error: string };
  ready(): Promise<void>;
  exited: Promise<number | NodeJS.Signals | null>;
};

type EngineOptions = {
  root?: string;
  port?: number;
  dataDir?: string;
  args?: string[];
  env?: Record<string, string>;
};

const started: ChildProcess[] = [];
const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-engine-'));
  folders.push(folder);
  return folder;
}

/** `npm start`, with a free port and an empty folder unless told otherwise. */
export async function startEngineProcess(options: EngineOptions = {}): Promise<EngineProcess> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? temporaryFolder();
  const readyFile = join(temporaryFolder(), 'ready');
  const flags = [
    '--port',
    String(port),
    '--data',
    dataDir,
    '--ready-file',
    readyFile,
    ...(options.args ?? []),
  ];
  const child = spawn(process.execPath, [join(options.root ?? ROOT, 'infra/local/start.mjs'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // An upload wakes the batch workers. Ticks every two seconds would only take the processor from other tests.
    env: { ...ownEnvironment(), Pipeline__PollIntervalSeconds: '60', ...options.env },
  });
  started.push(child);
  const printed = { out: '', error: '' };
  child.stdout?.on('data', (chunk) => {
    printed.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    printed.error += chunk;
  });
  const exited = new Promise<number | NodeJS.Signals | null>((done) => {
    child.once('close', (code, signal) => done(code ?? signal));
  });
  const ready = async () => {
    while (!existsSync(readyFile)) {
      if (child.exitCode !== null)
        throw new Error(`The engine did not start: ${printed.out}${printed.error}`);
      await pause(20);
    }
  };
  return {
    port,
    url: `http://localhost:${port}`,
    dataDir,
    readyFile,
    process: child,
    printed,
    ready,
    exited,
  };
}

/** The tests' own stores are no concern of an engine that is to start its own. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const isTests = (name: string) =>
    /^(AWS_|SINETE_STORES$|Stores__|STORES_TEMPLATE$|VITEST|NODE_ENV$|STAGE$|Http__|Log__|Cluster__)/.test(
      name,
    );
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isTests(name)));
}

/** For afterAll: nothing that these tests started or wrote is left. */
export async function cleanUp(): Promise<void> {
  await killTrees(started.splice(0));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
