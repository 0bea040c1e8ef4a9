import { Writable } from 'node:stream';
import { httpEvent, lambdaContext, type Request } from '../../../requests/http-event.ts';

// Lambda itself is not here. This stands in for what its runtime gives a function as `awslambda`, with the trait
// that matters: status and headers go out with the first write, and never if nothing is written.
export type Sent = { head: Head | undefined; chunks: Buffer[]; ended: boolean; broken: boolean };
type Head = {
  statusCode: number;
  headers: Record<string, string>;
  multiValueHeaders?: Record<string, string[]>;
};
export type Streamed = (event: unknown, out: Writable, context: unknown) => Promise<void>;

/** The stream that Lambda gives a function, and what went out on it. */
export function responseStream(sent: Sent): Writable {
  return new Writable({
    write(chunk, _, done) {
      if (chunk.length > 0) sent.chunks.push(chunk);
      done();
    },
    final(done) {
      sent.ended = true;
      done();
    },
    destroy(error, done) {
      sent.broken = error !== null;
      done(null);
    },
  });
}

let current: Sent;

/** Forgets what was sent before. */
export function beginSending(): Sent {
  current = { head: undefined, chunks: [], ended: false, broken: false };
  return current;
}

/** The global `awslambda` of Lambda's runtime. */
export const hostGlobal = {
  streamifyResponse: (run: Streamed) => run,
  HttpResponseStream: {
    from(out: Writable, head: Head): Writable {
      const sent = current;
      const write = out.write.bind(out);
      return Object.assign(out, {
        write(chunk: unknown, ...rest: []) {
          sent.head ??= JSON.parse(JSON.stringify(head));
          return write(chunk, ...rest);
        },
      });
    },
  },
};

/** Calls a streaming handler as Lambda does. */
export async function stream(handler: unknown, request: Request = {}): Promise<Sent & { body: Buffer }> {
  const sent = beginSending();
  const done = (handler as Streamed)(httpEvent(request), responseStream(sent), lambdaContext());
  await done.catch(() => undefined);
  return { ...sent, body: Buffer.concat(sent.chunks) };
}
