import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { isLocal } from '../settings/names.ts';
import { type Answer, cookieHeader, isStream } from './answer.ts';

/** An answer ready to go out, whichever host takes it. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string | Uint8Array | Readable;
};

// An API's answers are for its caller alone, and are what they say they are.
const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** `mediaType` is what JSON is called in this answer. */
export function reply(answer: Answer, correlationId: string, mediaType: string): Reply {
  const { body } = answer;
  return {
    status: answer.status,
    headers: {
      ...ALWAYS,
      ...typeOf(answer, mediaType),
      ...answer.headers,
      'x-correlation-id': correlationId,
    },
    cookies: answer.cookies.map((cookie) => cookieHeader(cookie, !isLocal())),
    body: content(body),
  };
}

// API Gateway calls what has no type JSON, and an empty 200 is none: a client that believes it fails to read it.
function typeOf({ body, status }: Answer, mediaType: string): Record<string, string> {
  if (body.kind === 'json') return { 'content-type': `${mediaType}; charset=utf-8` };
  return body.kind === 'empty' && status === 200 ? { 'content-type': 'text/plain; charset=utf-8' } : {};
}

function content(body: Answer['body']): Reply['body'] {
  if (body.kind === 'json') return JSON.stringify(body.value ?? null);
  if (body.kind === 'text') return body.text;
  return body.kind === 'bytes' ? body.bytes : '';
}

/** With its stream read to the end, for hosts that take an answer whole. A stream that fails, fails here. */
export const collected = async (whole: Reply): Promise<Reply> =>
  typeof whole.body !== 'string' && isStream(whole.body)
    ? { ...whole, body: await buffer(whole.body) }
    : whole;

/** As a function of API Gateway answers when it answers whole. */
export function proxyResult({ status, headers, cookies, body }: Reply): APIGatewayProxyResult {
  const isText = typeof body === 'string';
  return {
    statusCode: status,
    headers: { ...headers },
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    body: isText ? body : Buffer.from(body as Uint8Array).toString('base64'),
    isBase64Encoded: !isText,
  };
}
