// API Gateway's WebSocket API for one machine: the same events for the same function, the same limits, and the same way
// to send to a connection. Whichever process creates a task, it reaches the process that holds the agent's connection by
// the address that was recorded with the connection.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { SocketEvent } from '../../../shared/sockets/handler.ts';
import { SOCKET_PATH } from '../../../shared/workstation/messages.ts';
import { type Management, startManagement } from './management.ts';

/** Where agents connect: the session server's own path. */
const PATH = `/session${SOCKET_PATH}`;
/** API Gateway's frame is as large. A message of an agent is much smaller. */
const MAX_MESSAGE_BYTES = 32_768;
/** API Gateway ends a connection after these. */
const IDLE_MS = 600_000;
const OPEN_MS = 2 * 3_600_000;
/** A peer that is gone without a word is found out by then. */
const PROBE_AFTER_MS = 30_000;
/** Messages of one connection that wait for the function. */
const MAX_WAITING = 10;
/** For connections to say good-bye when the gateway stops. */
const CLOSE_WITHIN_MS = 2_000;
const LOOK_AT_CLOSE_MS = 20;

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
const POLICY = 1008;

export type SocketGateway = {
  /** Whether a request is for a connection here; any other request with an Upgrade header is answered as without it. */
  readonly isFor: (request: IncomingMessage) => boolean;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends all connections, and has the function told. */
  readonly close: () => Promise<void>;
};

/** @example socketUrlAt('https://sign.example') // 'wss://sign.example/session/agent/connection' */
export const socketUrlAt = (publicUrl: string): string => `${publicUrl.replace(/^http/, 'ws')}${PATH}`;

type GatewayOptions = {
  /** Calls the function of the WebSocket API. */
  readonly invoke: (event: SocketEvent) => Promise<{ readonly statusCode: number }>;
  readonly report: (error: unknown) => void;
};

/**
 * @example const gateway = await startSocketGateway({ invoke, report });
 *          server.on('upgrade', gateway.upgrade);
 */
export async function startSocketGateway({ invoke, report }: GatewayOptions): Promise<SocketGateway> {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    clientTracking: false,
  });
  const open = new Map<string, WebSocket>();
  const atWork = new Set<Promise<unknown>>();
  let isClosing = false;
  const management: Management = await startManagement(open);

  const call = async (
    eventType: SocketEvent['requestContext']['eventType'],
    connectionId: string,
    rest: Omit<SocketEvent, 'requestContext'> = {},
  ): Promise<number> => {
    const requestContext = { eventType, connectionId };
    const work = invoke({ requestContext, connectionsUrl: management.url, ...rest });
    atWork.add(work);
    try {
      return (await work).statusCode;
    } catch (error) {
      report(error);
      return 500;
    } finally {
      atWork.delete(work);
    }
  };

  const serve = (id: string, connection: WebSocket, socket: Duplex): void => {
    open.set(id, connection);
    limitTime(connection, socket);
    let last: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    connection.on('message', (data: RawData) => {
      if (++waiting > MAX_WAITING) return connection.close(POLICY, 'too many messages');
      last = last
        .then(() => call('MESSAGE', id, { body: data.toString(), isBase64Encoded: false }))
        .finally(() => waiting--);
    });
    connection.on('error', () => connection.terminate());
    connection.on('close', () => {
      open.delete(id);
      void call('DISCONNECT', id);
    });
  };

  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (isClosing) return refuse(socket, 503);
    const id = randomBytes(18).toString('base64url');
    const status = await call('CONNECT', id, { headers: headersOf(request) });
    if (status !== 200) return refuse(socket, status);
    server.handleUpgrade(request, socket, head, (connection) => serve(id, connection, socket));
  };

  return {
    isFor: ({ method, url = '', headers }) =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?')[0] === PATH,
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      void accept(request, socket, head);
    },
    async close() {
      isClosing = true;
      for (const connection of open.values()) connection.close(GOING_AWAY, 'the server stops');
      const late = setTimeout(() => {
        for (const connection of open.values()) connection.terminate();
      }, CLOSE_WITHIN_MS);
      while (open.size > 0 || atWork.size > 0) await pause(LOOK_AT_CLOSE_MS);
      clearTimeout(late);
      await management.close();
    },
  };
}

function limitTime(connection: WebSocket, socket: Duplex): void {
  const end = () => connection.close(GOING_AWAY, 'the time of the connection is over');
  // Whatever Node's servers hand over here is a socket, with or without TLS.
  (socket as Socket).setKeepAlive(true, PROBE_AFTER_MS);
  (socket as Socket).setTimeout(IDLE_MS, end);
  const oldest = setTimeout(end, OPEN_MS).unref();
  connection.once('close', () => clearTimeout(oldest));
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

function refuse(socket: Duplex, status: number): void {
  const lines = [`HTTP/1.1 ${status} Refused`, 'Connection: close', 'Content-Length: 0'];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}
