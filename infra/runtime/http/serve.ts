import type { IncomingMessage } from 'node:http';
import type { DeclaredFunction } from '../functions/declared-functions.ts';
import { functionLoader, functionName, localInvoker } from '../functions/invoke.ts';
import { type SocketGateway, startSocketGateway } from '../sockets/gateway.ts';
import type { Client } from './client.ts';
import { type AnswerOwnPath, createHandler } from './handle.ts';
import { createRouter } from './router.ts';
import { routesOf } from './routes.ts';
import { type HttpServer, type ServerOptions, startServer } from './server.ts';

/** The function of the agents' WebSocket. */
const SOCKET_FUNCTION = 'sessionAgentSocket';

type Served = Pick<ServerOptions, 'tls' | 'onClosed' | 'idleGraceMs'> & {
  readonly declared: readonly DeclaredFunction[];
  readonly buildDir: string;
  readonly stage: string;
  readonly clientOf: (request: IncomingMessage) => Client;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly answerOwnPath?: AnswerOwnPath | undefined;
  /** The path whose function has the home page. */
  readonly home?: string | undefined;
  /** Loads all functions now, so that the first call of one is answered as fast as any other. */
  readonly loadsAll?: boolean;
  /** Whether agents may connect here. */
  readonly takesAgents: boolean;
};

/**
 * Serves the functions by their routes, as API Gateway does.
 * @example const server = await serveFunctions({ declared, buildDir, stage, … }); listener.on('connection', server.take);
 */
export async function serveFunctions(served: Served): Promise<HttpServer> {
  const { declared, buildDir, loadsAll = false, takesAgents } = served;
  const routes = routesOf(declared);
  const load = functionLoader(declared, buildDir);
  if (loadsAll) await Promise.all(routes.map(({ key }) => load(key)));
  const sockets = takesAgents ? await takeAgents(served) : undefined;
  return startServer({
    ...served,
    handle: createHandler({ ...served, find: createRouter(routes), load }),
    sockets,
  });
}

function takeAgents({ declared, buildDir, stage, report }: Served): Promise<SocketGateway> {
  const invoke = localInvoker(declared, stage, buildDir);
  return startSocketGateway({
    async invoke(event) {
      const invocation = await invoke(functionName(stage, SOCKET_FUNCTION), event);
      if (!invocation.ok) throw new Error(`${SOCKET_FUNCTION}: ${invocation.reason}`);
      return invocation.answer as { statusCode: number };
    },
    report: (error) => report('WebSocket event failed', { error }),
  });
}
