import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handler as complete } from '../../functions/session/endpoints/agent/complete-agent-task.ts';
import { handler as enrol } from '../../functions/session/endpoints/agent/enrol-agent.ts';
import { handler as poll } from '../../functions/session/endpoints/agent/poll-agent.ts';
import { handler as updateCertificates } from '../../functions/session/endpoints/agent/update-agent-certificates.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { call } from '../http-event.ts';

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

/** The functions that agents call, behind HTTP: a line that a test can cut. */
export async function serveSession(): Promise<Host> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host: Host = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/session`,
    onTheWay: () => undefined,
    onTheWayBack: () => undefined,
    seen: [],
    close() {
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
