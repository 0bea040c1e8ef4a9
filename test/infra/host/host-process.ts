import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { freePort } from '../../../infra/local/engine/ports.ts';
import { newRing } from '../../../infra/local/stores/ring-file.ts';
import { killTrees } from '../process-tree.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export type HostProcess = {
  readonly port: number;
  readonly url: string;
  readonly configFile: string;
  readonly process: ChildProcess;
  /** What it has printed so far. */
  readonly printed: { out: string; error: string };
  /** Resolves when it is ready. */
  readonly ready: () => Promise<void>;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  /** Every line of its log. Errors are on stderr, as Node prints them. */
  readonly logged: () => readonly LogLine[];
};

type LogLine = { readonly message: string; readonly service: string } & Readonly<Record<string, unknown>>;

type HostOptions = {
  readonly port?: number;
  readonly stage?: string;
  readonly data?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const started: ChildProcess[] = [];
const folders: string[] = [];

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-host-'));
  folders.push(folder);
  return folder;
}

/** Settings that every deployment has. Nothing is signed with these roots. */
export const REQUIRED: Readonly<Record<string, string>> = {
  'Signer:BaseAddress': 'https://platform.example/documents',
  'Signer:ApiKey': 'host|a-key-of-the-platform',
  'Certificates:TrustAnchors': join(import.meta.dirname, 'root.pem'),
  'SecurityContexts:PkiBrazil': join(import.meta.dirname, 'root.pem'),
  'Sealing:Keys': newRing().trim(),
};

/** `npm run serve`, with a free port and an empty folder unless told otherwise. */
export async function startHostProcess(options: HostOptions = {}): Promise<HostProcess> {
  const port = options.port ?? (await freePort());
  const { stage = 'prod' } = options;
  const configFile = join(temporaryFolder(), 'sinete.yaml');
  const config = {
    stage,
    publicUrl: `http://localhost:${port}`,
    listen: { port },
    data: options.data ?? temporaryFolder(),
    workers: { http: 1, queues: 1 },
    ...options.config,
    settings: options.settings ?? REQUIRED,
  };
  writeFileSync(configFile, stringify(config));
  const args = [join(ROOT, 'infra/host/serve.mjs'), '--config', configFile, ...(options.args ?? [])];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...ownEnvironment(), ...options.env },
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
  const logged = () =>
    [printed.out, printed.error].flatMap((text) =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LogLine),
    );
  const ready = async () => {
    while (!logged().some(({ service, message }) => service === 'host' && message === 'ready')) {
      if (child.exitCode !== null) throw new Error(`The host did not start: ${printed.out}${printed.error}`);
      await pause(50);
    }
  };
  return {
    port,
    url: `http://localhost:${port}`,
    configFile,
    process: child,
    printed,
    ready,
    exited,
    logged,
  };
}

/** The environment without the stores and the settings of the test run. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const isTests = (name: string) => /^(VITEST|NODE_ENV$|STAGE$|AWS_|SINETE_)|__/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isTests(name)));
}

/** For afterAll: nothing that these tests started or wrote is left. */
export async function cleanUp(): Promise<void> {
  await killTrees(started.splice(0));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
