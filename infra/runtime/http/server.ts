// An HTTP server that listens nowhere: whoever accepts connections hands them over.
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server as TlsServer } from 'node:tls';
import { clientNetwork } from '../../../shared/http/request/client-network.ts';
import type { SocketGateway } from '../sockets/gateway.ts';
import type { Client } from './client.ts';
import { type Limits, openConnections } from './connections.ts';

/** Slow loris: headers arrive within this time, and so does the first byte of a connection. */
const HEADERS_MS = 10_000;
const HANDSHAKE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** Longer than the 60 s of most proxies: the side that waits less closes, and never while the other one sends. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;
const IDLE_GRACE_MS = 3_000;

const LOOK_AT_DRAIN_MS = 50;

type TlsFiles = { readonly cert: string; readonly key: string };

export type HttpServer = {
  /** Serves an accepted connection, which has not been read from (`pauseOnConnect`). */
  readonly take: (socket: Socket) => void;
  /** From now on every answer is the last one of its connection. */
  readonly closeAfterAnswers: () => void;
  /** Resolves when all connections have ended: answered ones at once, idle ones after a moment. */
  readonly drain: () => Promise<void>;
  /** Reads certificate and key again. */
  readonly renewCertificate: () => void;
};

export type ServerOptions = Limits & {
  readonly tls?: TlsFiles | undefined;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly onClosed?: (() => void) | undefined;
  /** Takes the connections of agents. */
  readonly sockets?: SocketGateway | undefined;
  readonly clientOf: (request: IncomingMessage) => Client;
  /** How long an idle connection is kept when the server drains: a request may be on its way on it. */
  readonly idleGraceMs?: number | undefined;
};

/** @example const server = startServer({ tls, handle, onClosed }); process.on('message', (_, socket) => server.take(socket)); */
export function startServer({
  tls,
  handle,
  onClosed = () => undefined,
  sockets,
  clientOf,
  idleGraceMs = IDLE_GRACE_MS,
  ...limits
}: ServerOptions): HttpServer {
  const connections = openConnections(limits);
  let isClosing = false;

  const isUpgrade = (request: IncomingMessage): boolean => sockets?.isFor(request) ?? false;
  const server = createHttpServer(tls, isUpgrade, (request, response) => {
    const end = connections.begin(request.socket, clientNetwork(clientOf(request).address));
    if (isClosing || !end) response.setHeader('connection', 'close');
    if (!end) return void response.writeHead(429, TOO_MANY.headers).end(TOO_MANY.text);
    response.once('close', end);
    void handle(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    // One request that lasts as long as the connection: it is never idle, and ends when the gateway closes.
    connections.begin(request.socket);
    sockets?.upgrade(request, socket, head);
  });
  // Node watches slow headers once a server listens, which this one never does.
  server.emit('listening');

  return {
    take(socket) {
      const remove = connections.add(socket);
      if (!remove) {
        socket.destroy();
        onClosed();
        return;
      }
      socket.once('close', () => {
        remove();
        onClosed();
      });
      // Without this the answer to a caller that has ended its side is cut off.
      socket.allowHalfOpen = true;
      server.emit('connection', socket);
      socket.resume();
    },
    closeAfterAnswers() {
      isClosing = true;
    },
    async drain() {
      isClosing = true;
      await sockets?.close();
      while (connections.endIdle(Date.now() - idleGraceMs)) await pause(LOOK_AT_DRAIN_MS);
      connections.close();
    },
    renewCertificate() {
      if (tls) (server as unknown as TlsServer).setSecureContext(readTls(tls));
    },
  };
}

/** Of a client all of whose connections are at work. */
const TOO_MANY = {
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '1' },
  text: 'Too many connections from this address are at work. Try again when some of them have been answered.\n',
};

const LIMITS = {
  headersTimeout: HEADERS_MS,
  // A body may take long: functions watch its pace (shared/http/body/pace.ts).
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: LOOK_EVERY_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
};

function createHttpServer(
  tls: TlsFiles | undefined,
  shouldUpgradeCallback: (request: IncomingMessage) => boolean,
  listener: RequestListener,
): Server {
  if (!tls) return createServer({ ...LIMITS, shouldUpgradeCallback }, listener);
  const options = {
    ...LIMITS,
    shouldUpgradeCallback,
    ...readTls(tls),
    handshakeTimeout: HANDSHAKE_MS,
    minVersion: 'TLSv1.2',
  } as const;
  return createTlsServer(options, listener);
}

const readTls = ({ cert, key }: TlsFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) });
