import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorkerOrder } from './event-worker.ts';
import { eachLine, errorLine, type Log } from './log.ts';

/** The time that batches and scheduled runs in progress get to end. Events that are cut off come again. */
const STOP_MS = 5000;

type ProcessOptions = {
  readonly cacheDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly print: (line: string) => void;
};

export type EventWorkers = {
  /** Resolves with the reason if one ends by itself. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
};

// One would keep only one core busy with signing.
const WORKERS = 2;

/** Starts the processes of queues and schedules, and resolves when they take events. */
export async function startEventWorkers(
  order: Omit<WorkerOrder, 'share'>,
  options: ProcessOptions,
): Promise<EventWorkers> {
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, (_, index) =>
      startWorker({ ...order, share: { index, of: WORKERS } }, options),
    ),
  );
  return {
    died: Promise.race(workers.map(({ died }) => died)),
    stop: async () => void (await Promise.all(workers.map(({ stop }) => stop()))),
  };
}

async function startWorker(
  order: WorkerOrder,
  { cacheDir, env, log, print }: ProcessOptions,
): Promise<EventWorkers> {
  const child = fork(new URL('./event-worker.ts', import.meta.url), {
    cwd: order.root,
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...env, NODE_COMPILE_CACHE: join(cacheDir, 'compiled') },
  });
  let stopping = false;
  let shown = '';
  const onLine = (line: string) => {
    log.write(line);
    const error = errorLine(line);
    // A failure is logged each time, and printed once while it repeats.
    if (error !== undefined && error !== shown) print(error);
    shown = error ?? shown;
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, onLine);
  const exited = once(child, 'close');
  const died = exited.then(() =>
    stopping
      ? new Promise<never>(() => undefined)
      : `A process of queues and schedules ended by itself. Its last lines are in ${log.path}.`,
  );
  child.send(order);
  await Promise.race([once(child, 'message'), died.then((line) => Promise.reject(new Error(line)))]);
  return {
    died,
    async stop() {
      stopping = true;
      if (child.connected) child.send({ stop: true });
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
