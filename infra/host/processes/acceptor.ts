// The parent accepts connections and hands each to the worker that has the fewest. A worker that is busy does not take
// the next one before it has taken the last, so none waits behind a long computation while another worker is free.
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import type { Worker } from './supervisor.ts';

/** Connections that wait for a worker, such as while all of them are started again. */
const MAX_WAITING = 1_024;
const BACKLOG = 1_024;
/** A peer that is gone without a word is found out by then. */
const PROBE_AFTER_MS = 30_000;
const HANDED_OVER_WITHIN_MS = 5_000;

export type Acceptor = {
  readonly listen: (place: { readonly host: string; readonly port: number }) => Promise<void>;
  readonly addWorker: (worker: Worker) => void;
  readonly removeWorker: (worker: Worker) => void;
  /** The worker has the connection, and may be sent another. */
  readonly taken: (worker: Worker) => void;
  readonly closed: (worker: Worker) => void;
  /** Accepts nothing more. Resolves when the workers have all that was accepted. */
  readonly close: () => Promise<void>;
};

type Load = { connections: number; isTaking: boolean };

export function createAcceptor(): Acceptor {
  const loads = new Map<Worker, Load>();
  const waiting: Socket[] = [];
  const server = createServer({
    pauseOnConnect: true,
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
  });

  const freest = (): Worker | undefined =>
    [...loads]
      .filter(([, { isTaking }]) => !isTaking)
      .toSorted(([, a], [, b]) => a.connections - b.connections)[0]?.[0];
  const handOver = (): void => {
    for (let worker = freest(); worker && waiting.length > 0; worker = freest()) {
      const load = loads.get(worker);
      const socket = waiting.shift();
      if (!load || !socket) return;
      load.isTaking = true;
      load.connections += 1;
      worker.send({ take: true }, socket, (error) => {
        if (error) socket.destroy();
      });
    }
  };
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (waiting.length >= MAX_WAITING) socket.destroy();
    else waiting.push(socket);
    handOver();
  });
  const change = (worker: Worker, by: (load: Load) => void): void => {
    const load = loads.get(worker);
    if (load) by(load);
    handOver();
  };

  return {
    listen: (place) => listen(server, place),
    addWorker(worker) {
      loads.set(worker, { connections: 0, isTaking: false });
      handOver();
    },
    removeWorker: (worker) => void loads.delete(worker),
    taken: (worker) =>
      change(worker, (load) => {
        load.isTaking = false;
      }),
    closed: (worker) =>
      change(worker, (load) => {
        load.connections -= 1;
      }),
    async close() {
      // The system resets connections that are still in its own queue when the port closes.
      await nextTurn();
      server.close();
      const giveUpAt = Date.now() + HANDED_OVER_WITHIN_MS;
      const isBusy = () => waiting.length > 0 || loads.values().some(({ isTaking }) => isTaking);
      while (isBusy() && Date.now() < giveUpAt) await pause(10);
    },
  };
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CommandRefusal(`Port ${port} of ${host} cannot be opened: ${reasonOf(error)}.`)),
    );
    server.listen({ host, port, backlog: BACKLOG }, resolve);
  });
}
