import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'aws-lambda';
import type { HostEvent } from '../call.ts';
import type { Reply } from './reply.ts';

/** The response streaming of Lambda: no 6 MB limit, and the first byte leaves at once. */
type StreamingHost = {
  streamifyResponse(run: (event: HostEvent, out: Writable, context: Context) => Promise<void>): unknown;
  HttpResponseStream: { from(out: Writable, head: object): Writable };
};

/** The streaming host, if the code runs on one. Some libraries define the global empty. */
export function streamingHost(): StreamingHost | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<StreamingHost> };
  return awslambda?.streamifyResponse ? (awslambda as StreamingHost) : undefined;
}

/** A handler that streams its answer. A stream that fails ends the connection early, so no caller takes it for whole. */
export const streamResponse = (
  host: StreamingHost,
  answer: (event: HostEvent, context: Context, send: (reply: Reply) => Promise<void>) => Promise<void>,
): unknown =>
  host.streamifyResponse((event, out, context) =>
    answer(event, context, (reply) => sendReply(host, reply, out)),
  );

async function sendReply(
  host: StreamingHost,
  { status, headers, cookies, body }: Reply,
  out: Writable,
): Promise<void> {
  const head = {
    statusCode: status,
    headers,
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': cookies } }),
  };
  const source = body instanceof Readable ? body : Readable.from([body]);
  await pipeline(source, atLeastOneWrite, host.HttpResponseStream.from(out, head));
}

// The host sends status and headers with the first write: an empty body needs a write too.
async function* atLeastOneWrite(
  source: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let wrote = false;
  for await (const chunk of source) {
    wrote = true;
    yield chunk;
  }
  if (!wrote) yield '';
}
