import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** `localhost` may mean either one, and each can be taken alone. */
const LOOPBACKS = ['127.0.0.1', '::1'];
/** An engine that was killed lets its port go a moment later. */
const PATIENCE_MS = 3000;
const PACE_MS = 100;
/** A local connection is made or refused at once, unless a program has the port and is too stuck to take it. */
const PROBE_MS = 1000;

/** A port that nobody uses. @example const port = await freePort() */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Waits a moment for a port in use; throws an Error that says what to do if it stays so. */
export async function needPort(port: number, patienceMs = PATIENCE_MS, probeMs = PROBE_MS): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  while (await isTaken(port, probeMs)) {
    if (Date.now() >= giveUpAt) {
      throw new Error(
        `Port ${port} is taken by another program. Stop it, or choose another: npm start -- --port 3100`,
      );
    }
    await pause(PACE_MS);
  }
}

async function isTaken(port: number, probeMs: number): Promise<boolean> {
  // Connecting finds a program on every interface, which some systems let us listen beside.
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
