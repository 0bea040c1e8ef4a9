import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handler as authorize } from '../../../functions/sandbox/providers/endpoints/authorize-at-provider.ts';
import { handler as decide } from '../../../functions/sandbox/providers/endpoints/decide-at-provider.ts';
import { handler as discover } from '../../../functions/sandbox/providers/endpoints/discover-provider-user.ts';
import { handler as clientToken } from '../../../functions/sandbox/providers/endpoints/issue-provider-client-token.ts';
import { handler as token } from '../../../functions/sandbox/providers/endpoints/issue-provider-token.ts';
import { handler as certificates } from '../../../functions/sandbox/providers/endpoints/list-provider-certificates.ts';
import { handler as sign } from '../../../functions/sandbox/providers/endpoints/sign-at-provider.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';

const OPERATIONS: Readonly<Record<string, Endpoint>> = {
  'GET authorize': authorize,
  'POST authorize': decide,
  'POST user-discovery': discover,
  'POST client_token': clientToken,
  'POST token': token,
  'GET certificate-discovery': certificates,
  'POST signature': sign,
};

/**
 * What becomes of a call: the provider does not get it and something else is answered, its line is cut, nothing is ever
 * said, or the provider does what it was asked and its answer is lost, or is another than it gave.
 */
export type Interference =
  | { readonly status: number; readonly body: string }
  | { readonly instead: (given: string) => string }
  | 'hang-up'
  | 'silence'
  | 'answer-lost'
  | undefined;

export type ProvidersServer = {
  readonly url: string;
  /** Every call that came, as `alpha signature`. */
  readonly calls: string[];
  /** What came with them. */
  readonly bodies: string[];
  interfere: (call: string) => Interference;
  stop(): void;
};

/** The sandbox's providers behind a real server, as the hub meets them. Gamma never says a word. */
export async function serveProviders(): Promise<ProvidersServer> {
  const calls: string[] = [];
  const bodies: string[] = [];
  const interfere: ProvidersServer['interfere'] = () => undefined;
  const served = { calls, bodies, interfere };
  const server = createServer(async (request, response) => {
    const url = new URL(String(request.url), 'http://providers');
    const [, provider = '', operation = ''] =
      /^\/sandbox\/providers\/(\w+)\/v0\/oauth\/([\w-]+)$/.exec(url.pathname) ?? [];
    const named = `${provider} ${operation}`;
    calls.push(named);
    const otherwise = provider === 'gamma' ? 'silence' : served.interfere(named);
    const body = Buffer.concat(await request.toArray());
    bodies.push(body.toString('utf8'));
    if (otherwise === 'silence') return;
    if (otherwise === 'hang-up') return void request.socket.destroy();
    if (typeof otherwise === 'object' && 'status' in otherwise)
      return void response.writeHead(otherwise.status).end(otherwise.body);
    const { status, headers, text } = await callHandler(request, { provider, operation, url, body });
    if (otherwise === 'answer-lost') return void request.socket.destroy();
    response.writeHead(status, headers).end(otherwise ? otherwise.instead(text) : text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return Object.assign(served, {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  });
}

type Received = {
  readonly provider: string;
  readonly operation: string;
  readonly url: URL;
  readonly body: Buffer;
};

async function callHandler(request: IncomingMessage, { provider, operation, url, body }: Received) {
  const handler = OPERATIONS[`${request.method} ${operation}`];
  if (!handler) return { status: 404, headers: {}, text: '{}' };
  return call(handler, {
    method: String(request.method),
    params: { provider },
    query: Object.fromEntries(url.searchParams),
    headers: request.headers as Record<string, string>,
    ...(body.length > 0 && { body: body.toString('utf8') }),
  });
}
