// What the SDK's PostToConnection and DeleteConnection call, as API Gateway answers them. It listens on this machine
// alone, and a connection's id has 144 random bits: whoever knows one has read the session server's table.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';

/** API Gateway's limit of a message. */
const MAX_BYTES = 131_072;
/** A peer that takes nothing would have its messages fill the memory. */
const MAX_BUFFERED_BYTES = 1_048_576;

export type Management = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts to take messages for connections, by their ids. */
export async function startManagement(open: ReadonlyMap<string, WebSocket>): Promise<Management> {
  const server = createServer((request, response) => {
    answer(request, response, open).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  open: ReadonlyMap<string, WebSocket>,
): Promise<void> {
  const [, id = ''] = /^\/@connections\/([^/?]+)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
  const connection = open.get(id);
  const bytes = await bodyOf(request);
  if (!connection || connection.readyState !== connection.OPEN) return refuse(response, 410, 'GoneException');
  if (request.method === 'DELETE') {
    connection.close();
    return void response.writeHead(204).end();
  }
  if (request.method !== 'POST') return refuse(response, 403, 'ForbiddenException');
  if (!bytes) return refuse(response, 413, 'PayloadTooLargeException');
  if (connection.bufferedAmount > MAX_BUFFERED_BYTES) {
    connection.terminate();
    return refuse(response, 410, 'GoneException');
  }
  connection.send(bytes.toString('utf8'));
  response.writeHead(200).end();
}

/** Undefined for a body that is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BYTES) chunks.push(chunk);
  }
  return length <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}

function refuse(response: ServerResponse, status: number, name: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': name }).end('{}');
}
