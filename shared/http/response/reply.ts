import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { isLocal } from '../../settings/names.ts';
import { type Answer, cookieHeader, isStream } from './answer.ts';

/** An answer as a host sends it. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string | Uint8Array | Readable;
};

// Answers are private to their caller, and browsers must not guess their type.
const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
// A deployment has https alone. For this host only: its siblings may be somebody else's.
const WHEN_DEPLOYED = { 'strict-transport-security': 'max-age=31536000' };

/** `mediaType` is the media type of JSON in this answer. */
export function toReply(answer: Answer, correlationId: string, mediaType: string): Reply {
  const { body } = answer;
  return {
    status: answer.status,
    headers: {
      ...ALWAYS,
      ...(!isLocal() && WHEN_DEPLOYED),
      ...typeOf(answer, mediaType),
      ...answer.headers,
      'x-correlation-id': correlationId,
    },
    cookies: answer.cookies.map((cookie) => cookieHeader(cookie, !isLocal())),
    body: content(body),
  };
}

// API Gateway labels an answer without a type as JSON. A client fails to parse an empty 200 as JSON.
function typeOf({ body, status }: Answer, mediaType: string): Record<string, string> {
  if (body.kind === 'json') return { 'content-type': `${mediaType}; charset=utf-8` };
  return body.kind === 'empty' && status === 200 ? { 'content-type': 'text/plain; charset=utf-8' } : {};
}

function content(body: Answer['body']): Reply['body'] {
  if (body.kind === 'json') return body.bytes ?? JSON.stringify(body.value ?? null);
  if (body.kind === 'text') return body.text;
  return body.kind === 'bytes' ? body.bytes : '';
}

/** The answer to HEAD: the headers that GET would get, and no body. */
export function withoutBody({ body, ...reply }: Reply): Reply {
  if (isStream(body)) {
    body.on('error', () => undefined).destroy();
    return { ...reply, body: '' };
  }
  const length = Buffer.byteLength(body);
  const headers = { ...(length > 0 && { 'content-length': String(length) }), ...reply.headers };
  return { ...reply, headers, body: '' };
}

/** Reads the stream of an answer to its end, for hosts that take an answer whole. */
export const collectBody = async (whole: Reply): Promise<Reply> =>
  isStream(whole.body) ? { ...whole, body: await buffer(whole.body) } : whole;

/** An answer in the format of API Gateway, or with its body as a stream or as bytes for a host that takes these. */
export type HostResult = APIGatewayProxyResult & {
  readonly bodyStream?: Readable;
  readonly bodyBytes?: Uint8Array;
};

export function proxyResult({ status, headers, cookies, body }: Reply, takesBytes = false): HostResult {
  return {
    statusCode: status,
    headers: { ...headers },
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    ...bodyOf(body, takesBytes),
  };
}

function bodyOf(body: Reply['body'], takesBytes: boolean): Omit<HostResult, 'statusCode'> {
  if (typeof body === 'string') return { body, isBase64Encoded: false };
  if (isStream(body)) return { body: '', isBase64Encoded: false, bodyStream: body };
  if (takesBytes) return { body: '', isBase64Encoded: false, bodyBytes: body };
  return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
