import { type ChildProcess, fork, type SendHandle } from 'node:child_process';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import type { Logger } from '../../../shared/log/logger.ts';
import type { FromWorker, ToWorker, WorkerOrder } from './orders.ts';

/** A worker that ends by itself is started again after this time, which doubles while it does not stay up. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A worker that has lived for so long has started well. */
const STAYED_UP_MS = 60_000;

export type Worker = {
  readonly order: WorkerOrder;
  readonly process: ChildProcess;
  readonly send: (message: ToWorker, handle?: SendHandle, sent?: (error: Error | null) => void) => void;
  isReady: boolean;
};

export type Supervisor = {
  /** Starts a worker and keeps it up. Rejects when it does not come up this first time. */
  readonly start: (order: WorkerOrder) => Promise<void>;
  readonly workers: () => readonly Worker[];
  /** From now on nobody is started again. Resolves when all have ended. */
  readonly leave: () => Promise<void>;
  readonly kill: () => void;
};

type SupervisorOptions = {
  readonly log: Logger;
  readonly onReady: (worker: Worker) => void;
  readonly onMessage: (worker: Worker, message: FromWorker) => void;
  readonly onEnd: (worker: Worker) => void;
};

const nameOf = ({ role }: WorkerOrder): string =>
  role.kind === 'http' ? 'http' : `queues ${role.index + 1}`;

/** Starts the host's workers, and starts them again when they end by themselves. */
export function createSupervisor({ log, onReady, onMessage, onEnd }: SupervisorOptions): Supervisor {
  const workers = new Set<Worker>();
  let isLeaving = false;
  let allEnded = (): void => undefined;

  const launch = (order: WorkerOrder, pauseMs: number, first?: PromiseWithResolvers<void>): void => {
    const startedAt = performance.now();
    const child = fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--no-warnings'] });
    const send: Worker['send'] = (message, handle, sent) => {
      if (child.connected) child.send(message, handle, undefined, sent ?? (() => undefined));
      else sent?.(new Error('The worker has ended.'));
    };
    const worker: Worker = { order, process: child, send, isReady: false };
    workers.add(worker);
    let failure: string | undefined;
    child.on('message', (message: FromWorker) => {
      if ('failed' in message) failure = message.failed;
      if ('ready' in message) {
        worker.isReady = true;
        first?.resolve();
        onReady(worker);
      }
      onMessage(worker, message);
    });
    child.on('error', (error) => log.error('worker cannot be reached', { worker: nameOf(order), error }));
    child.once('exit', (code, signal) => {
      workers.delete(worker);
      onEnd(worker);
      if (workers.size === 0) allEnded();
      if (isLeaving) return;
      if (first && !worker.isReady) {
        first.reject(new CommandRefusal(failure ?? `A worker ended while it started (${signal ?? code}).`));
        return;
      }
      const stayedUp = performance.now() - startedAt > STAYED_UP_MS;
      const waitMs = stayedUp ? FIRST_PAUSE_MS : pauseMs;
      log.error('worker ended by itself and is started again', {
        worker: nameOf(order),
        pid: child.pid,
        code,
        signal,
        afterMs: waitMs,
        ...(failure !== undefined && { reason: failure }),
      });
      const again = () => !isLeaving && launch(order, Math.min(waitMs * 2, MAX_PAUSE_MS));
      setTimeout(again, waitMs).unref();
    });
    send({ order });
  };

  return {
    start(order) {
      const first = Promise.withResolvers<void>();
      launch(order, FIRST_PAUSE_MS, first);
      return first.promise;
    },
    workers: () => [...workers],
    leave() {
      isLeaving = true;
      return new Promise((resolve) => {
        allEnded = resolve;
        if (workers.size === 0) resolve();
      });
    },
    kill() {
      isLeaving = true;
      for (const { process: child } of workers) child.kill('SIGKILL');
    },
  };
}
