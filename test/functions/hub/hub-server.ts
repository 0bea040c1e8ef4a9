import type { IncomingMessage } from 'node:http';
import { handler as create } from '../../../functions/hub/endpoints/create-session.ts';
import { handler as certificate } from '../../../functions/hub/endpoints/get-certificate-v2.ts';
import { handler as customState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as sign } from '../../../functions/hub/endpoints/sign-hash.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import { startServer } from '../../shared/net/a-server.ts';

const ROUTES: ReadonlyMap<string, readonly [name: HubCall, handler: Endpoint]> = new Map([
  ['POST /hub/api/sessions', ['create', create]],
  ['GET /hub/api/sessions/custom-state', ['custom-state', customState]],
  ['GET /hub/api/v2/sessions/certificate', ['certificate', certificate]],
  ['POST /hub/api/sessions/sign-hash', ['sign-hash', sign]],
]);

export type HubCall = 'create' | 'custom-state' | 'certificate' | 'sign-hash';

/** What becomes of a call: the hub does not get it and something else is answered, or nothing ever; or its answer is another. */
export type HubInterference =
  | { readonly status: number; readonly body: string }
  | { readonly instead: (given: string) => string }
  | 'silence'
  | undefined;

export type HubServer = {
  readonly address: string;
  readonly calls: HubCall[];
  interfere: (call: HubCall) => HubInterference | Promise<HubInterference>;
  stop(): Promise<void>;
};

/** The hub's own functions behind a real server, as its clients meet them. */
export async function serveHub(): Promise<HubServer> {
  const calls: HubCall[] = [];
  const interfere: HubServer['interfere'] = () => undefined;
  const served = { calls, interfere };
  const server = await startServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://hub');
    const [name, handler] = ROUTES.get(`${request.method} ${pathname}`) ?? [];
    const body = Buffer.concat(await request.toArray());
    if (!name || !handler) return void response.writeHead(404).end('{}');
    calls.push(name);
    const otherwise = await served.interfere(name);
    if (otherwise === 'silence') return;
    if (otherwise && 'status' in otherwise)
      return void response.writeHead(otherwise.status).end(otherwise.body);
    const { status, headers, text } = await callHandler(request, handler, body, searchParams);
    response.writeHead(status, headers).end(otherwise ? otherwise.instead(text) : text);
  });
  return Object.assign(served, { address: `${server.url}/hub`, stop: server.stop });
}

const callHandler = (request: IncomingMessage, handler: Endpoint, body: Buffer, query: URLSearchParams) =>
  call(handler, {
    method: String(request.method),
    query: Object.fromEntries(query),
    headers: request.headers as Record<string, string>,
    ...(body.length > 0 && { body: body.toString('utf8') }),
  });
