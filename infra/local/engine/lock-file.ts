import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../../shared/command-line/reason.ts';

/** A local connection answers at once or not at all. */
const PROBE_TIMEOUT_MS = 1000;
const HALF_WRITTEN_MS = 100;

/** Who holds a lock, with what the holder says of itself. */
export type LockHolder = {
  readonly pid: number;
  readonly token: string;
  readonly probePort: number;
  readonly [about: string]: unknown;
};

type LockOptions = {
  /** What the holder says of itself, for the other one's message. */
  readonly about?: Readonly<Record<string, unknown>>;
  readonly inUse: (holder: LockHolder) => string;
  /** The advice after "<path> cannot be written: <reason>." */
  readonly unwritable: string;
  readonly probeMs?: number;
};

/**
 * One process at a time holds a lock file. The holder answers on a local port with the token that the file names, so a
 * lock left by kill -9 is known to be stale even when its process id lives on in another program.
 *
 *   process 1  |--lock---------------- suspended ------------ kill -9
 *   process 2       |--lock: answered,        |--lock: silence,      |--lock: no connection,
 *                      refused                   refused                taken over
 *
 * Not covered: two processes that take over the same stale lock within one instant, and processes on two machines.
 * @example const { release } = await lockFile('.local/engine.lock', { inUse: () => 'In use.', unwritable: 'Move it.' });
 */
export async function lockFile(path: string, options: LockOptions): Promise<{ release(): void }> {
  const { about = {}, probeMs = PROBE_TIMEOUT_MS } = options;
  const token = randomUUID();
  const probe = await serveToken(token);
  const { port: probePort } = probe.address() as AddressInfo;
  try {
    while (!create(path, { pid: process.pid, ...about, token, probePort }, options)) {
      const holder = await readHolder(path);
      const state = holder ? await stateOf(holder, probeMs) : 'gone';
      if (holder && state !== 'gone') throw new Error(inUse(holder, state, options));
      rmSync(path, { force: true });
    }
  } catch (error) {
    probe.close();
    throw error;
  }
  return {
    release() {
      // A process that has taken it over in the meantime keeps it.
      if (parse(path)?.token === token) rmSync(path, { force: true });
      probe.close();
    },
  };
}

function create(path: string, holder: LockHolder, { unwritable }: LockOptions): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`${path} cannot be written: ${reasonOf(error)}. ${unwritable}`);
  }
}

function inUse(holder: LockHolder, state: 'answers' | 'silent', options: LockOptions): string {
  const { pid } = holder;
  const silence =
    state === 'silent' ? `Process ${pid} does not answer; it may be suspended (kill -CONT ${pid}). ` : '';
  return silence + options.inUse(holder);
}

/** An unreadable lock may be half written, so it is read again after a moment. */
async function readHolder(path: string): Promise<LockHolder | undefined> {
  for (const waitMs of [0, HALF_WRITTEN_MS]) {
    await pause(waitMs);
    const holder = parse(path);
    if (holder) return holder;
  }
  return undefined;
}

function parse(path: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    const { pid, token, probePort } = holder;
    return Number.isInteger(pid) && isPort(probePort) && typeof token === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;

function serveToken(token: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).end(token));
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** A suspended process still has its port, and the system accepts connections for it: it only sends nothing. */
function stateOf({ probePort, token }: LockHolder, probeMs: number): Promise<'answers' | 'silent' | 'gone'> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port: probePort, host: '127.0.0.1' });
    const done = (state: 'answers' | 'silent' | 'gone') => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(probeMs, () => done(received === '' ? 'silent' : 'gone'));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('end', () => done(received === token ? 'answers' : 'gone'));
    socket.once('error', () => done('gone'));
  });
}
