// The functions' own process: serverless-offline, which serves the HTTP routes and the Lambda endpoint.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { eachLine, errorLine, type Log } from '../engine/log.ts';

/** serverless-offline gives open requests five seconds. After this time it will not end by itself. */
const STOP_MS = 7000;
/** How many of its last lines are searched for a reason. */
const LAST_LINES = 200;
/** Ctrl-C reaches both processes, in either order, and the second within this time. */
const TOGETHER_MS = 500;

type OfflineOptions = {
  root: string;
  /** For compiled code. */
  cacheDir: string;
  httpPort: number;
  lambdaPort: number;
  env: NodeJS.ProcessEnv;
  log: Log;
  print: (line: string) => void;
};

/** Where the functions are, what they run with, and the services whose store did not answer at this start. */
type ListenOrder = {
  buildDir: string;
  env: Record<string, string>;
  unreachable: readonly ServiceName[];
};

export type Offline = {
  /** Resolves once it listens. The order to listen is sent when its own loading is done. */
  listen(order: ListenOrder): Promise<void>;
  /** Resolves with the reason if it ends by itself. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Starts to load serverless-offline at once. It listens when `listen` tells it to. */
export function startOffline({
  root,
  cacheDir,
  httpPort,
  lambdaPort,
  env,
  log,
  print,
}: OfflineOptions): Offline {
  const options = ['--enable-source-maps', '--import', import.meta.resolve('./exit-with-engine.mjs')];
  const script = join(import.meta.dirname, '../serve/serve.mjs');
  const child = spawn(process.execPath, [...options, script, root, String(httpPort), String(lambdaPort)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...env, NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
  });
  const lastLines: string[] = [];
  let listening = false;
  let stopping = false;
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const waiting = messageFrom(child, 'waiting');
  const ready = messageFrom(child, 'ready');

  const onLine = (line: string) => {
    if (lastLines.push(line) > LAST_LINES) lastLines.shift();
    // Why it does not start is told by startFailure.
    if (!listening) return;
    log.write(line);
    const shown = errorLine(line);
    if (shown !== undefined) print(shown);
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, onLine);

  return {
    async listen(order) {
      await waiting;
      child.send(order);
      await ready;
      listening = true;
    },
    died: exited.then(async () => {
      await pause(TOGETHER_MS);
      if (stopping) return new Promise<never>(() => {});
      if (!listening) return startFailure(lastLines, httpPort);
      return `The functions' process ended by itself. Its last lines are in ${log.path}.`;
    }),
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    },
  };
}

/** The plugin in the other process sends `{ waiting: true }` once it has loaded, `{ ready: true }` once it listens. */
function messageFrom(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && name in message) resolve();
    });
  });
}

function startFailure(lines: string[], httpPort: number): string {
  if (lines.some((line) => line.includes('EADDRINUSE')))
    return `Port ${httpPort} was taken while starting. Start again.`;
  return `The functions could not be served: ${lines.at(-1) ?? 'serverless-offline ended without a message'}`;
}
