// The connections of a server: room for new ones, and an end for those whose reader does not read.
import type { Socket } from 'node:net';
import { MIN_BYTES_PER_WINDOW } from '../../../shared/http/body/pace.ts';
import { commonSettings } from '../../../shared/settings/common.ts';

const LOOK_EVERY_MS = 1_000;
/** Beyond so many, the connection that is needed least makes room. */
const MAX_CONNECTIONS = 4_096;
/** A network of an office, with some connections for each of its people. */
const MAX_PER_CLIENT = 512;
/**
 * A reader may pause for so many times Http:BodyWindow. Kernels have up to some megabytes on their way, so that what it
 * reads all the time is seen here late and in large pieces.
 */
const WINDOWS_OF_PAUSE = 3;

type Connection = {
  /** As it was accepted, below TLS. */
  readonly socket: Socket;
  readonly key: string;
  /** What requests come from and answers go to, above TLS: known from the first request on. */
  stream: Socket | undefined;
  /** Who sent the last request: behind a proxy, one connection serves many. */
  client: string | undefined;
  requests: number;
  /** When it came, a request began or ended, or a piece of an answer left. */
  usedAtMs: number;
  /** The bytes of answers that had left at the last look. */
  leftBytes: number;
  /** How long the reader may pause. Bytes that leave make it longer. */
  pauseMs: number;
};

export type Limits = {
  readonly maxConnections?: number | undefined;
  readonly maxPerClient?: number | undefined;
};

/** @example const connections = openConnections(); if (!connections.add(socket)) socket.destroy(); */
export function openConnections({
  maxConnections = MAX_CONNECTIONS,
  maxPerClient = MAX_PER_CLIENT,
}: Limits = {}) {
  // In the order of their last use: of those without a request, the first has been idle for longest.
  const open = new Map<string, Connection>();
  const ofClient = new Map<string, Set<Connection>>();

  const setClient = (connection: Connection, client: string | undefined): void => {
    const before = connection.client === undefined ? undefined : ofClient.get(connection.client);
    before?.delete(connection);
    if (connection.client !== undefined && before?.size === 0) ofClient.delete(connection.client);
    connection.client = client;
    if (client !== undefined) ofClient.set(client, (ofClient.get(client) ?? new Set()).add(connection));
  };
  // One that was ended to make room is removed before it is closed, and another may have its key by then.
  const isOpen = (connection: Connection): boolean => open.get(connection.key) === connection;
  const remove = (connection: Connection): void => {
    setClient(connection, undefined);
    if (isOpen(connection)) open.delete(connection.key);
  };
  const count = (connection: Connection, requests: 1 | -1): void => {
    connection.requests += requests;
    connection.usedAtMs = Date.now();
    if (!isOpen(connection)) return;
    open.delete(connection.key);
    open.set(connection.key, connection);
  };

  /**
   * Ends one of these: the one that has been idle for longest, or else the one whose answer has stood still for longest.
   * False where all of them are at work.
   */
  const makeRoom = (connections: readonly Connection[]): boolean => {
    const found =
      connections.find(({ requests }) => requests === 0) ??
      connections.filter(({ stream }) => isWaiting(stream)).toSorted((a, b) => a.usedAtMs - b.usedAtMs)[0];
    if (!found) return false;
    remove(found);
    // Closed in an orderly way, the kernel would keep the rest of an answer for minutes.
    found.socket.resetAndDestroy();
    return true;
  };

  let lookedAtMs = Date.now();
  /** Slow read: time in which an answer waits for its reader counts, and each byte that leaves makes up for some. */
  const look = (): void => {
    const nowMs = Date.now();
    for (const connection of open.values()) {
      const { stream, leftBytes, pauseMs } = connection;
      connection.leftBytes = leftBytesOf(stream);
      const gainedMs = (connection.leftBytes - leftBytes) * msPerByte() - (nowMs - lookedAtMs);
      connection.pauseMs = isWaiting(stream) ? Math.min(maxPauseMs(), pauseMs + gainedMs) : maxPauseMs();
      if (connection.pauseMs < 0) connection.socket.resetAndDestroy();
    }
    lookedAtMs = nowMs;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();

  return {
    /** Takes a connection in, and returns the function for its end. Undefined where there is no room. */
    add(socket: Socket): (() => void) | undefined {
      if (open.size >= maxConnections && !makeRoom([...open.values()])) return undefined;
      const connection: Connection = {
        ...{ socket, key: keyOf(socket), stream: undefined, client: undefined },
        ...{ requests: 0, usedAtMs: Date.now(), leftBytes: 0, pauseMs: maxPauseMs() },
      };
      open.set(connection.key, connection);
      return () => remove(connection);
    },
    /**
     * Records a request, and returns the function for its end. Undefined where the client has no room. One without a
     * client is that of an agent, which lasts as long as its connection.
     */
    begin(stream: Socket, client?: string): (() => void) | undefined {
      const connection = open.get(keyOf(stream));
      // It was ended, and this came before that is known.
      if (!connection) return undefined;
      if (!connection.stream) {
        connection.stream = stream;
        stream.on('drain', () => {
          connection.usedAtMs = Date.now();
        });
      }
      setClient(connection, undefined);
      const others = client === undefined ? [] : [...(ofClient.get(client) ?? [])];
      if (others.length >= maxPerClient && !makeRoom(others)) return undefined;
      setClient(connection, client);
      count(connection, 1);
      return () => count(connection, -1);
    },
    /** Ends those that have been idle since then. Returns whether any are left. */
    endIdle(sinceMs: number): boolean {
      for (const { socket, requests, usedAtMs } of open.values())
        if (requests === 0 && usedAtMs <= sinceMs) socket.destroy();
      return open.size > 0;
    },
    close: (): void => clearInterval(timer),
  };
}

/** The same for a connection and for the TLS layer above it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

const isWaiting = (stream: Socket | undefined): boolean => (stream?.writableLength ?? 0) > 0;
const leftBytesOf = (stream: Socket | undefined): number =>
  stream ? stream.bytesWritten - stream.writableLength : 0;
const maxPauseMs = (): number => WINDOWS_OF_PAUSE * commonSettings['Http:BodyWindow'] * 1_000;
const msPerByte = (): number => (commonSettings['Http:BodyWindow'] * 1_000) / MIN_BYTES_PER_WINDOW;
