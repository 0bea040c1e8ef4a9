import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { HostEvent } from '../../../shared/http/call.ts';
import type { Client } from './client.ts';
import type { Match } from './router.ts';

/** The path and the query of a request, as they were sent. */
export type Target = { readonly path: string; readonly query: string };

/** Undefined for a target that is neither a path nor an address (RFC 9112, 3.2). */
export function targetOf({ url = '' }: IncomingMessage): Target | undefined {
  if (!url.startsWith('/')) {
    const absolute = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
    return absolute && { path: absolute.pathname, query: absolute.search.slice(1) };
  }
  const [before = '', ...after] = url.split('?');
  return { path: before, query: after.join('?') };
}

type EventParts = {
  readonly target: Target;
  readonly match: Match;
  readonly client: Client;
  readonly stage: string;
  readonly body: Readable | undefined;
  readonly hangUp: AbortSignal;
};

/** A request as API Gateway hands it to a function, its body as a stream. */
export function toEvent(
  request: IncomingMessage,
  { target, match, client, stage, body, hangUp }: EventParts,
): HostEvent {
  const headers = headersOf(request, client);
  const query = listsOf(new URLSearchParams(target.query));
  return {
    resource: `/${match.route.path}`,
    path: target.path,
    httpMethod: request.method ?? 'GET',
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: lastOf(query),
    multiValueQueryStringParameters: query,
    pathParameters: { ...match.params },
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    ...(body && { bodyStream: body }),
    hangUp,
    takesStream: true,
    requestContext: {
      stage,
      protocol: `HTTP/${request.httpVersion}`,
      identity: { sourceIp: client.address, userAgent: request.headers['user-agent'] ?? null },
    } as HostEvent['requestContext'],
  };
}

type Lists = Record<string, string[]>;

// Anybody can send these. Functions get what the host knows, as API Gateway does it.
const OF_PROXIES: ReadonlySet<string> = new Set([
  'forwarded',
  'x-real-ip',
  'x-forwarded-host',
  'x-forwarded-port',
]);

function headersOf(request: IncomingMessage, { address, protocol }: Client): Lists {
  const headers: Lists = Object.create(null);
  for (const [name, values] of Object.entries(request.headersDistinct))
    if (values && !OF_PROXIES.has(name)) headers[name] = values;
  headers['x-forwarded-for'] = [address];
  headers['x-forwarded-proto'] = [protocol];
  return headers;
}

function listsOf(query: URLSearchParams): Lists {
  const lists: Lists = Object.create(null);
  for (const [name, value] of query) {
    const known = lists[name];
    if (known) known.push(value);
    else lists[name] = [value];
  }
  return lists;
}

function lastOf(lists: Lists): Record<string, string> {
  const last: Record<string, string> = {};
  for (const name in lists) last[name] = lists[name]?.at(-1) ?? '';
  return last;
}
