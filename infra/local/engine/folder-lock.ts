import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../../shared/command-line/reason.ts';

type LockHolder = { pid: number; port: number; token: string; probePort: number };

export const LOCK_FILE = 'engine.lock';
/** A local connection answers at once or not at all. */
const PROBE_TIMEOUT_MS = 1000;
const HALF_WRITTEN_MS = 100;

/**
 * One engine at a time on a data folder. The holder answers on a local port with the token that its
 * lock file names, so a lock left by kill -9 is known to be stale even when its process id lives on
 * in another program.
 *
 *   engine 1  |--lock---------------- suspended ------------ kill -9
 *   engine 2       |--lock: answered,        |--lock: silence,      |--lock: no connection,
 *                     refused                   refused                taken over
 *
 * Not covered: two engines that take over the same stale lock within one instant. The store's own
 * lock on its files then stops the second.
 */
export async function lockFolder(
  dir: string,
  port: number,
  probeMs = PROBE_TIMEOUT_MS,
): Promise<{ release(): void }> {
  const path = join(dir, LOCK_FILE);
  const token = randomUUID();
  const probe = await serveToken(token);
  const { port: probePort } = probe.address() as AddressInfo;
  while (!create(path, { pid: process.pid, port, token, probePort })) {
    const holder = await readHolder(path);
    const state = holder ? await stateOf(holder, probeMs) : 'gone';
    if (holder && state !== 'gone') {
      probe.close();
      throw new Error(inUse(dir, holder, state));
    }
    rmSync(path, { force: true });
  }
  return {
    release() {
      // An engine that has taken it over in the meantime keeps it.
      if (parse(path)?.token === token) rmSync(path, { force: true });
      probe.close();
    },
  };
}

function create(path: string, holder: LockHolder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(
      `${path} cannot be written: ${reasonOf(error)}. Make its folder writable, or choose another: npm start -- --data DIR`,
    );
  }
}

function inUse(dir: string, { port, pid }: LockHolder, state: 'answers' | 'silent'): string {
  const silence =
    state === 'silent' ? ` Process ${pid} does not answer; it may be suspended (kill -CONT ${pid}).` : '';
  return `${dir} is in use by an engine on port ${port} (process ${pid}).${silence} Stop it, or choose another folder: npm start -- --data DIR`;
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
    const { pid, port, token, probePort } = JSON.parse(readFileSync(path, 'utf8'));
    const isWhole = Number.isInteger(pid) && isPort(port) && isPort(probePort) && typeof token === 'string';
    return isWhole ? { pid, port, token, probePort } : undefined;
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
