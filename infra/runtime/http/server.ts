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
import type { SocketGateway } from '../sockets/gateway.ts';

/** Slow loris: headers arrive within this time, and so does the first byte of a connection. */
const HEADERS_MS = 10_000;
const HANDSHAKE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** Longer than the 60 s of most proxies: the side that waits less closes, and never while the other one sends. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16_384;
/** Beyond so many, the connection that has been idle for longest makes room. */
const MAX_CONNECTIONS = 4_096;
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

type Connection = { readonly socket: Socket; readonly requests: number; readonly usedAtMs: number };

export type ServerOptions = {
  readonly tls?: TlsFiles | undefined;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly onClosed?: (() => void) | undefined;
  /** Takes the connections of agents. */
  readonly sockets?: SocketGateway | undefined;
  readonly maxConnections?: number;
  /** How long an idle connection is kept when the server drains: a request may be on its way on it. */
  readonly idleGraceMs?: number | undefined;
};

/** @example const server = startServer({ tls, handle, onClosed }); process.on('message', (_, socket) => server.take(socket)); */
export function startServer({
  tls,
  handle,
  onClosed = () => undefined,
  sockets,
  maxConnections = MAX_CONNECTIONS,
  idleGraceMs = IDLE_GRACE_MS,
}: ServerOptions): HttpServer {
  // In the order of their last use: of those without a request, the first has been idle for longest.
  const open = new Map<string, Connection>();
  let isClosing = false;

  const touch = (key: string, requests: 1 | -1): void => {
    const connection = open.get(key);
    if (!connection) return;
    open.delete(key);
    open.set(key, { ...connection, requests: connection.requests + requests, usedAtMs: Date.now() });
  };
  const isUpgrade = (request: IncomingMessage): boolean => sockets?.isFor(request) ?? false;
  const server = createHttpServer(tls, isUpgrade, (request, response) => {
    const key = keyOf(request.socket);
    touch(key, 1);
    if (isClosing) response.setHeader('connection', 'close');
    response.once('close', () => touch(key, -1));
    void handle(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    // One request that lasts as long as the connection: it is never idle, and ends when the gateway closes.
    touch(keyOf(request.socket), 1);
    sockets?.upgrade(request, socket, head);
  });
  // Node watches slow headers once a server listens, which this one never does.
  server.emit('listening');

  const makeRoom = (): boolean => {
    const idle = open.values().find(({ requests }) => requests === 0);
    idle?.socket.destroy();
    return idle !== undefined;
  };

  return {
    take(socket) {
      if (open.size >= maxConnections && !makeRoom()) {
        socket.destroy();
        onClosed();
        return;
      }
      const key = keyOf(socket);
      open.set(key, { socket, requests: 0, usedAtMs: Date.now() });
      socket.once('close', () => {
        open.delete(key);
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
      while (open.size > 0) {
        const before = Date.now() - idleGraceMs;
        for (const { socket, requests, usedAtMs } of open.values())
          if (requests === 0 && usedAtMs <= before) socket.destroy();
        await pause(LOOK_AT_DRAIN_MS);
      }
    },
    renewCertificate() {
      if (tls) (server as unknown as TlsServer).setSecureContext(readTls(tls));
    },
  };
}

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

/** The same for a connection and for the TLS layer above it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
