import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Server = {
  readonly url: string;
  readonly port: number;
  /** The number of connections so far. */
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
};

/** An HTTP server on loopback, for one test file. */
export async function startServer(listener: RequestListener): Promise<Server> {
  let connections = 0;
  const server = createServer(listener).on('connection', () => connections++);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, connections: () => connections, stop };
}
