import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { parseCookie } from 'cookie';
import type { Caller } from '../access/caller.ts';
import type { ServiceName } from '../settings/names.ts';
import { startTrace, type Trace, usableId } from '../trace/trace.ts';
import { type BodySource, type RawBody, rawBody } from './body/raw-body.ts';

/** A request: header names in lower case, repeated values kept, the body not yet read. */
export type Call = {
  readonly trace: Trace;
  /** The id that the caller sent, where the service answers with one of its own. */
  readonly callerCorrelationId: string | undefined;
  readonly startedAtMs: number;
  /** `GET` for HEAD too: the answer is the same, without its body. */
  readonly method: string;
  readonly isHead: boolean;
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
  /** The host takes the body of the answer as a stream. */
  readonly takesStream: boolean;
  /** How long limits have held it back. */
  waitedMs: number;
  caller: Caller | undefined;
  /** The visitor of a page, for the page factory. */
  entered: unknown;
};

/**
 * An API Gateway event. Other hosts may add the body as a stream, a signal for a caller that hangs up, and that they
 * take the body of the answer as a stream.
 */
export type HostEvent = APIGatewayProxyEvent &
  BodySource & { readonly hangUp?: AbortSignal; readonly takesStream?: boolean };

/** `mintsId`: the call begins a correlation id, whatever its caller sent. */
type Tracing = { readonly service: ServiceName; readonly mintsId: boolean };

/** Reads a REST API event. Never throws: no rule accepts the call of a malformed event. */
export function toCall(event: HostEvent, context: Context, { service, mintsId }: Tracing): Call {
  const headers = headersOf(event);
  const { 'x-correlation-id': given, traceparent } = headers;
  const method = event.httpMethod ?? 'GET';
  return {
    trace: startTrace({
      service,
      correlationId: mintsId ? undefined : given,
      traceparent,
      gatewayRequestId: event.requestContext?.requestId,
    }),
    callerCorrelationId: mintsId ? usableId(given) : undefined,
    startedAtMs: Date.now(),
    method: method === 'HEAD' ? 'GET' : method,
    isHead: method === 'HEAD',
    path: event.path ?? '/',
    params: decodeParams(event.pathParameters ?? {}),
    query: queryOf(event),
    headers,
    cookies: headers.cookie ? parseCookie(headers.cookie) : {},
    clientAddress: event.requestContext?.identity?.sourceIp ?? 'unknown',
    body: rawBody(event, headers),
    remainingMs: () => context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY,
    hangUp: event.hangUp,
    takesStream: event.takesStream === true,
    waitedMs: 0,
    caller: undefined,
    entered: undefined,
  };
}

// RFC 9110 5.2: repeated headers are joined. A second X-API-Key therefore never replaces the first.
function headersOf(event: HostEvent): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [given, values] of Object.entries(event.multiValueHeaders ?? {})) {
    if (!values?.length) continue;
    const name = given.toLowerCase();
    const separator = name === 'cookie' ? '; ' : ', ';
    const known = headers[name];
    headers[name] = (known === undefined ? values : [known, ...values]).join(separator);
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

// A REST API passes path parameters percent-encoded.
function decodeParams(params: Record<string, string | undefined>): Record<string, string> {
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
