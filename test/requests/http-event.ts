import type { Readable } from 'node:stream';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { HostEvent } from '../../shared/http/call.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';

export type Request = {
  readonly method?: string;
  readonly path?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
  readonly json?: unknown;
  /** A body that the host hands over unread. */
  readonly bodyStream?: Readable;
  readonly address?: string;
  /** Aborted when the caller hangs up. */
  readonly hangUp?: AbortSignal;
  /** The host takes the body of the answer as a stream. */
  readonly takesStream?: boolean;
};

/** A REST API event as API Gateway sends it: every header and query value in both of its forms. */
export function httpEvent(request: Request = {}): HostEvent {
  const json = request.json === undefined ? undefined : JSON.stringify(request.json);
  const headers = { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...request.headers };
  const body = json ?? request.body;
  const hasBody = body !== undefined || request.bodyStream !== undefined;
  const method = request.method ?? (hasBody ? 'POST' : 'GET');
  const path = request.path ?? '/';
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: listsOf(headers),
    queryStringParameters: request.query ? lastOf(request.query) : null,
    multiValueQueryStringParameters: request.query ? listsOf(request.query) : null,
    pathParameters: request.params ?? null,
    stageVariables: null,
    body: body === undefined ? null : typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== undefined && typeof body !== 'string',
    ...(request.bodyStream && { bodyStream: request.bodyStream }),
    ...(request.hangUp && { hangUp: request.hangUp }),
    ...(request.takesStream && { takesStream: true }),
    requestContext: {
      identity: { sourceIp: request.address ?? '203.0.113.7' },
    } as HostEvent['requestContext'],
  };
}

const listsOf = (values: Record<string, string | string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));

const lastOf = (values: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat().at(-1) ?? '']));

/** A host that ends the function after so long, and counts down as Lambda does. */
export function lambdaContext(lifeMs = 29_000): Context {
  const endsAtMs = performance.now() + lifeMs;
  const getRemainingTimeInMillis = () => Math.max(0, Math.floor(endsAtMs - performance.now()));
  return { getRemainingTimeInMillis, awsRequestId: 'test' } as Context;
}

export type Answered = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly cookies: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; throws where it is none. */
  readonly json: () => unknown;
};

/** Calls a handler as the host would. */
export async function call(
  handler: Endpoint,
  request: Request = {},
  context = lambdaContext(),
): Promise<Answered> {
  const result: APIGatewayProxyResult = await handler(httpEvent(request), context);
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  return {
    status: result.statusCode,
    headers: result.headers as Record<string, string>,
    cookies: (result.multiValueHeaders?.['set-cookie'] ?? []) as string[],
    bytes,
    text: bytes.toString('utf8'),
    json: () => JSON.parse(bytes.toString('utf8')),
  };
}
