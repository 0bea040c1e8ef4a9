import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
};

type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** How many requests were open at once, at most. */
  readonly mostAtOnce: () => number;
  readonly ids: () => string[];
  readonly bodies: () => string[];
  readonly stop: () => Promise<void>;
};

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** A receiver of webhooks on loopback, which keeps what it gets. */
export async function startReceiver(answer: Answer = answering(200)): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    const chunks = await request.toArray().catch(() => []);
    const { url: path = '', method = '', headers, rawHeaders } = request;
    const got = { path, method, headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8') };
    received.push(got);
    answer(got, response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    mostAtOnce: () => most,
    ids: () => received.map(({ headers }) => String(headers['webhook-id'])),
    bodies: () => received.map(({ body }) => body),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
