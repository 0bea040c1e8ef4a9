import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { vi } from 'vitest';
import { handler as complete } from '../../functions/session/endpoints/agent/complete-agent-task.ts';
import { handler as enrol } from '../../functions/session/endpoints/agent/enrol-agent.ts';
import { handler as poll } from '../../functions/session/endpoints/agent/poll-agent.ts';
import { handler as updateCertificates } from '../../functions/session/endpoints/agent/update-agent-certificates.ts';
import { handler as socket } from '../../functions/session/workers/agent-socket.ts';
import { socketUrlAt, startSocketGateway } from '../../infra/runtime/sockets/gateway.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { call } from '../requests/http-event.ts';

/** A request on its way to a function. Whoever throws here cuts the line: nothing is answered. */
export type OnTheWay = (request: { readonly path: string; readonly body: string }) => unknown;

export type Host = {
  /** The base URL of the session server. */
  readonly url: string;
  /** Sees every request before its function does. */
  onTheWay: OnTheWay;
  /** Sees every answer before the agent does. */
  onTheWayBack: OnTheWay;
  /** The paths asked so far, and what was sent. */
  readonly seen: {
    readonly path: string;
    readonly body: string;
    readonly headers: IncomingMessage['headers'];
  }[];
  /** Connections are refused from now on, or taken again. Those that are open end as when a process is killed. */
  lineOfSockets(state: 'dead' | 'alive'): void;
  close(): void;
};

const endpointAt = (path: string): { endpoint: Endpoint; params: Record<string, string> } | undefined => {
  const [, taskId] = /^\/session\/agent\/tasks\/([^/]+)\/result$/.exec(path) ?? [];
  if (taskId) return { endpoint: complete, params: { taskId } };
  const endpoint = {
    '/session/agent/enrolments': enrol,
    '/session/agent/poll': poll,
    '/session/agent/certificates': updateCertificates,
  }[path];
  return endpoint && { endpoint, params: {} };
};

/**
 * The functions that agents call, behind HTTP: a line that a test can cut. With `sockets`, agents are offered
 * connections, as the engine offers them.
 */
export async function serveSession({ sockets = false } = {}): Promise<Host> {
  const gateway = await startSocketGateway({ invoke: socket, report: (error) => console.error(error) });
  const open = new Set<Duplex>();
  let isDead = !sockets;
  const server = createServer(
    { shouldUpgradeCallback: (request) => !isDead && gateway.isFor(request) },
    (request, response) => {
      answer(request, response).catch(() => request.socket.destroy());
    },
  );
  server.on('upgrade', (request, line, head) => {
    open.add(line);
    line.once('close', () => open.delete(line));
    gateway.upgrade(request, line, head);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  if (sockets) vi.stubEnv('Agents__SocketUrl', socketUrlAt(`http://127.0.0.1:${port}`));
  const host: Host = {
    url: `http://127.0.0.1:${port}/session`,
    lineOfSockets(state) {
      isDead = state === 'dead';
      if (isDead) for (const line of open) line.destroy();
    },
    onTheWay: () => undefined,
    onTheWayBack: () => undefined,
    seen: [],
    close() {
      for (const line of open) line.destroy();
      void gateway.close();
      server.closeAllConnections();
      server.close();
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = String(request.url);
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    host.seen.push({ path, body, headers: request.headers });
    await host.onTheWay({ path, body });
    const found = endpointAt(path);
    if (!found) return void response.writeHead(404).end();
    const headers = request.headers as Record<string, string>;
    const { params, endpoint } = found;
    const answered = await call(endpoint, { method: request.method ?? '', path, headers, params, body });
    await host.onTheWayBack({ path, body: answered.text });
    response.writeHead(answered.status, answered.headers).end(answered.bytes);
  }
  return host;
}
