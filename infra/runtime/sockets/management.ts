// What the SDK's PostToConnection and DeleteConnection call, as API Gateway answers them. It listens on this machine
// alone, and a connection's id has 144 random bits: whoever knows one has read the session server's table.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { type OwnGateway, ownGateways } from '../../../shared/sockets/connections.ts';

/** API Gateway's limit of a message. */
const MAX_BYTES = 131_072;
/** A peer that takes nothing would have its messages fill the memory. */
const MAX_BUFFERED_BYTES = 1_048_576;

export type Management = {
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts to take messages for connections, by their ids, from this process and from others. */
export async function startManagement(open: ReadonlyMap<string, WebSocket>): Promise<Management> {
  const gateway = gatewayOf(open);
  const server = createServer((request, response) => {
    answer(request, response, gateway).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ownGateways().set(url, gateway);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        ownGateways().delete(url);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function gatewayOf(open: ReadonlyMap<string, WebSocket>): OwnGateway {
  const find = (id: string): WebSocket | undefined => {
    const connection = open.get(id);
    if (connection && connection.bufferedAmount > MAX_BUFFERED_BYTES) connection.terminate();
    return connection?.readyState === connection?.OPEN ? connection : undefined;
  };
  return {
    post(id, text) {
      const connection = find(id);
      connection?.send(text);
      return connection !== undefined;
    },
    close(id) {
      const connection = find(id);
      connection?.close();
      return connection !== undefined;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  gateway: OwnGateway,
): Promise<void> {
  const [, id = ''] = /^\/@connections\/([^/?]+)$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
  const bytes = await bodyOf(request);
  if (request.method !== 'POST' && request.method !== 'DELETE')
    return refuse(response, 403, 'ForbiddenException');
  if (!bytes) return refuse(response, 413, 'PayloadTooLargeException');
  const isDelete = request.method === 'DELETE';
  const isThere = isDelete ? gateway.close(id) : gateway.post(id, bytes.toString('utf8'));
  if (!isThere) return refuse(response, 410, 'GoneException');
  response.writeHead(isDelete ? 204 : 200).end();
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
