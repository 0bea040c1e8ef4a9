// The parent accepts connections and hands each to the worker that has the fewest. A worker that is busy does not take
// the next one before it has taken the last, so none waits behind a long computation while another worker is free.
import { createServer, type Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { CommandRefusal, reasonOf } from '../../../shared/command-line/reason.ts';
import type { Worker } from './supervisor.ts';
import { waitingConnections } from './waiting.ts';

/**
 * Connections that wait for a worker, such as while all of them are started again. A crowd of strangers arrives at once,
 * and who comes after them waits for some moments and is not turned away.
 */
const MAX_WAITING = 16_384;
const BACKLOG = 1_024;
/** A peer that is gone without a word is found out by then. */
const PROBE_AFTER_MS = 30_000;
const MAX_TURNS = 1_000;
const QUIET_TURN_MS = 0.2;
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
  const waiting = waitingConnections();
  let isHolding = false;
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
    if (isHolding) return;
    for (let worker = freest(); worker && waiting.size > 0; worker = freest()) {
      const load = loads.get(worker);
      const socket = waiting.next();
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
    if (waiting.size >= MAX_WAITING) socket.destroy();
    else waiting.add(socket);
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
      isHolding = true;
      await closeWhenQuiet(server);
      isHolding = false;
      handOver();
      const giveUpAt = Date.now() + HANDED_OVER_WITHIN_MS;
      const isBusy = () => waiting.size > 0 || loads.values().some(({ isTaking }) => isTaking);
      while (isBusy() && Date.now() < giveUpAt) await pause(10);
    },
  };
}

// The system resets the connections that are in its own queue when the port closes:
//
//   turn of the event loop   |--accepts all in the queue--|--closes the port--|
//   caller                                              |--connects: reset
//
// No server on Linux can keep that moment from existing. It is some microseconds long in a turn in which nobody came and
// nothing else was done, so the port closes in such a one. A balancer that has seen red readiness sends nobody by then.
async function closeWhenQuiet(server: Server): Promise<void> {
  let arrived = 0;
  const count = () => {
    arrived += 1;
  };
  server.on('connection', count);
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const [before, startedAt] = [arrived, performance.now()];
    await nextTurn();
    if (arrived === before && performance.now() - startedAt < QUIET_TURN_MS) break;
  }
  server.close();
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CommandRefusal(`Port ${port} of ${host} cannot be opened: ${reasonOf(error)}.`)),
    );
    server.listen({ host, port, backlog: BACKLOG }, resolve);
  });
}
