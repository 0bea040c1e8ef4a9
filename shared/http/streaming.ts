import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'aws-lambda';
import type { HostEvent } from './call.ts';
import type { Reply } from './send.ts';

/** What Lambda offers a function whose answer may flow: no 6 MB ceiling, and the first byte goes at once. */
type StreamingHost = {
  streamifyResponse(run: (event: HostEvent, out: Writable, context: Context) => Promise<void>): unknown;
  HttpResponseStream: { from(out: Writable, head: object): Writable };
};

/**
 * The streaming host, where this code runs on one. The local engine's host has the same global and yet wants every answer
 * whole; libraries make the global too and leave it empty.
 */
export function streamingHost(): StreamingHost | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<StreamingHost> };
  const streams = awslambda?.streamifyResponse && !process.env.IS_OFFLINE;
  return streams ? (awslambda as StreamingHost) : undefined;
}

/** A handler that lets its answer flow. A stream that fails half way ends the connection short: no caller takes it for whole. */
export const streamed = (
  host: StreamingHost,
  flow: (event: HostEvent, context: Context) => Promise<Reply>,
): unknown =>
  host.streamifyResponse(async (event, out, context) => {
    const { status, headers, cookies, body } = await flow(event, context);
    const head = {
      statusCode: status,
      headers,
      ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': cookies } }),
    };
    const source = body instanceof Readable ? body : Readable.from([body]);
    await pipeline(source, neverSilent, host.HttpResponseStream.from(out, head));
  });

// The host sends status and headers with the first write, so that an answer without a body needs one too.
async function* neverSilent(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let wrote = false;
  for await (const chunk of source) {
    wrote = true;
    yield chunk;
  }
  if (!wrote) yield '';
}
