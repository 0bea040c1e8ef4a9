import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../shared/log/logger.ts';
import { createAcceptor } from './acceptor.ts';
import type { ToWorker, WorkerOrder } from './orders.ts';
import { createSupervisor, type Worker } from './supervisor.ts';

type Processes = {
  /** Takes nothing more, has everything that was taken finished, and ends the workers. */
  stop(): Promise<void>;
  kill(): void;
  renewCertificate(): void;
};

const isHttp = ({ order }: Worker): boolean => order.role.kind === 'http';

/** Starts the workers, and opens the port when all of them are ready. */
export async function startProcesses(common: Omit<WorkerOrder, 'role'>, log: Logger): Promise<Processes> {
  const { listen, workers, stop } = common.config;
  const acceptor = createAcceptor();
  const supervisor = createSupervisor({
    log,
    onReady: (worker) => isHttp(worker) && acceptor.addWorker(worker),
    onMessage(worker, message) {
      if ('taken' in message) acceptor.taken(worker);
      if ('closed' in message) acceptor.closed(worker);
    },
    onEnd: acceptor.removeWorker,
  });
  const tell = (message: ToWorker, which: (worker: Worker) => boolean = () => true): void => {
    for (const worker of supervisor.workers().filter(which)) worker.send(message);
  };
  try {
    await Promise.all([
      ...Array.from({ length: workers.http }, () => supervisor.start({ ...common, role: { kind: 'http' } })),
      ...Array.from({ length: workers.queues }, (_, index) =>
        supervisor.start({ ...common, role: { kind: 'queues', index, of: workers.queues } }),
      ),
    ]);
    await acceptor.listen(listen);
  } catch (error) {
    supervisor.kill();
    throw error;
  }

  return {
    kill: supervisor.kill,
    renewCertificate: () => tell({ renewCertificate: true }, isHttp),
    // port:     open ----------------| closed
    // http:     | red, last answers -| finishes what it has -| ends
    // queues:   | takes no more, finishes what it has ------| ends
    async stop() {
      log.info('stopping', { withinSeconds: stop.withinSeconds });
      const late = setTimeout(() => {
        log.error('some work has not ended in time, and is cut off', {
          workers: supervisor.workers().length,
        });
        supervisor.kill();
      }, stop.withinSeconds * 1000);
      const ended = supervisor.leave();
      tell({ announceStop: true }, isHttp);
      tell({ finish: true }, (worker) => !isHttp(worker));
      await pause(stop.announceSeconds * 1000);
      await acceptor.close();
      tell({ finish: true }, isHttp);
      await ended;
      clearTimeout(late);
    },
  };
}
