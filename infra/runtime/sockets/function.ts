import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withDeadline } from '../../../shared/async/deadline.ts';
import type { SocketEvent } from '../../../shared/sockets/handler.ts';

/** The one function with a WebSocket. */
const BUNDLE = 'dist/session/agent-socket.mjs';
/** As long as every function has that declares no time. */
const TIMEOUT_MS = 29_000;

type Handler = (event: SocketEvent) => Promise<{ readonly statusCode: number }>;

/** Calls the function of the WebSocket API in this process. @example startSocketGateway({ invoke: socketFunction(buildDir), report }) */
export const socketFunction =
  (buildDir: string): Handler =>
  async (event) => {
    const { handler }: { handler: Handler } = await import(pathToFileURL(join(buildDir, BUNDLE)).href);
    return withDeadline(
      TIMEOUT_MS,
      () => handler(event),
      () => new Error(`${BUNDLE} has not ended within ${TIMEOUT_MS / 1000} s.`),
    );
  };
