import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

type Holder = { pid: number; port: number; token: string; probePort: number };

export const LOCK_FILE = 'engine.lock';
/** A local connection answers at once or not at all. */
const PROBE_TIMEOUT_MS = 1000;
const HALF_WRITTEN_MS = 100;

/**
 * One engine at a time on a data folder. The holder answers on a local port with the token that its
 * lock file names, so a lock left by kill -9 is known to be stale even when its process id lives on
 * in another program.
 *
 *   engine 1  |--lock--------------- kill -9
 *   engine 2       |--lock: answered, refused      |--lock: no answer, taken over--
 *
 * Not covered: two engines that take over the same stale lock within one instant. The store's own
 * lock on its files then stops the second.
 */
export async function lockFolder(dir: string, port: number): Promise<{ release(): void }> {
  const path = join(dir, LOCK_FILE);
  const token = randomUUID();
  const probe = await answerWith(token);
  const { port: probePort } = probe.address() as AddressInfo;
  while (!create(path, { pid: process.pid, port, token, probePort })) {
    const holder = await readHolder(path);
    if (holder && (await isHeld(holder))) {
      probe.close();
      throw new Error(
        `${dir} is in use by an engine on port ${holder.port} (process ${holder.pid}). Stop it, or choose another folder: npm start -- --data DIR`,
      );
    }
    rmSync(path, { force: true });
  }
  return {
    release() {
      rmSync(path, { force: true });
      probe.close();
    },
  };
}

function create(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock that cannot be read may be half written: it gets a moment to become whole. */
async function readHolder(path: string): Promise<Holder | undefined> {
  for (const waitMs of [0, HALF_WRITTEN_MS]) {
    await pause(waitMs);
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {}
  }
  return undefined;
}

function answerWith(token: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).end(token));
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

function isHeld({ probePort, token }: Holder): Promise<boolean> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect({ port: probePort, host: '127.0.0.1' });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => done(false));
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.once('end', () => done(said === token));
    socket.once('error', () => done(false));
  });
}
