import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** `localhost` may mean either one, and each can be in use alone. */
const LOOPBACKS = ['127.0.0.1', '::1'];
/** A killed engine releases its port a moment later. */
const PATIENCE_MS = 3000;
const PACE_MS = 100;
/** A local connection is made or refused at once, unless the program at the port hangs. */
const PROBE_MS = 1000;
/** The command that takes another one. */
const ANOTHER = 'npm start -- --port 3100';

// Below the ports that a system gives to outgoing connections: one of those may be taken before it is used.
const FIRST_PORT = 10_000;
const LAST_PORT = 29_999;
const MAX_TRIES = 100;

/** Finds a free port that is likely to stay free for some seconds. @example const port = await freePort() */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (!(await isTaken(port, PROBE_MS))) return port;
  }
  throw new Error(`No port from ${FIRST_PORT} to ${LAST_PORT} is free.`);
}

type Patience = { readonly patienceMs?: number; readonly probeMs?: number; readonly another?: string };

/**
 * Waits a moment for a port in use. Throws an Error that says what to do if it stays in use.
 * @example await requirePort(3000, { another: 'npm start -- --port 3100' })
 */
export async function requirePort(
  port: number,
  { patienceMs = PATIENCE_MS, probeMs = PROBE_MS, another = ANOTHER }: Patience = {},
): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (await isTaken(port, probeMs)) {
    if (Date.now() >= giveUpAt) {
      throw new Error(`Port ${port} is taken by another program. Stop it, or choose another: ${another}`);
    }
    await pause(PACE_MS);
  }
}

async function isTaken(port: number, probeMs: number): Promise<boolean> {
  // Some systems let us listen beside a program on all interfaces. A connection finds it.
  const answers = await Promise.all(LOOPBACKS.map((host) => canConnect(port, host, probeMs)));
  return answers.includes(true) || !(await canListen(port));
}

function canConnect(port: number, host: string, probeMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(probeMs, () => done(true));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new Error(`Port ${port} cannot be used: ${error.message}`));
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
