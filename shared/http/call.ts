import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { parseCookie } from 'cookie';
import type { Caller } from '../access/caller.ts';
import { type RawBody, rawBody } from './body/raw-body.ts';

/** One request, as the house sees it: names in lower case, repeated values kept, a body not yet read. */
export type Call = {
  readonly correlationId: string;
  readonly startedAtMs: number;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly clientAddress: string;
  readonly body: RawBody;
  /** Milliseconds until the host ends this invocation. */
  readonly remainingMs: () => number;
  /** Aborted when the caller hangs up, where the host can tell. */
  readonly hangUp: AbortSignal | undefined;
  caller: Caller | undefined;
};

/**
 * An API Gateway event. A host that can hand over the body unread puts it in `bodyStream`, and one that sees its caller
 * hang up says so by `hangUp`.
 */
export type HostEvent = APIGatewayProxyEvent & {
  readonly bodyStream?: Readable;
  readonly hangUp?: AbortSignal;
};

/** Reads a REST API event into a call. Never throws: a garbled event is a call that no rule accepts. */
export function toCall(event: HostEvent, context: Context): Call {
  const headers = headersOf(event);
  return {
    correlationId: randomUUID(),
    startedAtMs: Date.now(),
    method: event.httpMethod ?? 'GET',
    path: event.path ?? '/',
    params: decoded(event.pathParameters ?? {}),
    query: queryOf(event),
    headers,
    cookies: headers.cookie ? parseCookie(headers.cookie) : {},
    clientAddress: event.requestContext?.identity?.sourceIp ?? 'unknown',
    body: rawBody(event, headers),
    remainingMs: () => context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY,
    hangUp: event.hangUp,
    caller: undefined,
  };
}

// A header given twice, in whatever case, is joined as HTTP says: a second X-API-Key is never the one that counts.
function headersOf(event: HostEvent): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [given, values] of Object.entries(event.multiValueHeaders ?? {})) {
    const name = given.toLowerCase();
    const all = [headers[name] ?? [], values ?? []].flat();
    if (all.length > 0) headers[name] = all.join(name === 'cookie' ? '; ' : ', ');
  }
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] ??= value;
  }
  return headers;
}

function queryOf(event: HostEvent): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (values?.length) query[name] = values.length === 1 ? String(values[0]) : values;
  }
  for (const [name, value] of Object.entries(event.queryStringParameters ?? {})) {
    if (value !== undefined) query[name] ??= value;
  }
  return query;
}

// REST API hands path parameters over still encoded.
function decoded(params: Record<string, string | undefined>): Record<string, string> {
  const out: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(params)) out[name] = decodeOrKeep(value ?? '');
  return out;
}

function decodeOrKeep(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
