import { Readable, Transform } from 'node:stream';
import { Problem } from '../../errors/errors.ts';
import { invalid } from '../validate.ts';
import { watchPace } from './pace.ts';

/** Where a host puts the body of a request: whole in the event, or as a stream. */
export type BodySource = {
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
  readonly bodyStream?: Readable;
};

/** A body that is not read yet. */
export type RawBody = {
  /** The media type alone, in lower case; empty when the caller named none. */
  readonly mediaType: string;
  /** The whole Content-Type, with its parameters. */
  readonly contentType: string;
  /** The content encoding; empty for none. */
  readonly encoding: string;
  /** The whole body, or the tooLarge problem. */
  readonly bytes: (limitBytes: number) => Promise<Buffer>;
  /** The body as it arrives. Fails with the tooLarge problem past the limit. */
  readonly stream: (limitBytes: number) => Readable;
};

export function rawBody(event: BodySource, headers: Readonly<Record<string, string>>): RawBody {
  const contentType = headers['content-type'] ?? '';
  const announcedBytes = Number(headers['content-length']);
  const stream = (limitBytes: number): Readable =>
    event.bodyStream
      ? limitStream(event.bodyStream, limitBytes, announcedBytes)
      : Readable.from(slices(bufferedBody(event, limitBytes)), { objectMode: false });
  return {
    contentType,
    encoding: (headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase()
      .replace(/^identity$/, ''),
    mediaType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    stream,
    bytes: async (limitBytes) =>
      event.bodyStream
        ? collect(event.bodyStream, limitBytes, announcedBytes)
        : bufferedBody(event, limitBytes),
  };
}

/** The problem of a body over its limit. */
export const tooLarge = (limitBytes: number, actualBytes: number): Problem =>
  new Problem('tooLarge', { limitBytes, actualBytes });

function bufferedBody(event: BodySource, limitBytes: number): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > limitBytes) throw tooLarge(limitBytes, bytes.length);
  return bytes;
}

// The caller hung up, or sent less than it announced. Nobody else is at fault: it is no failure of the service.
const cutShort = (): Problem => invalid([{ field: 'body', message: 'ended before its announced length' }]);

function refuseUnread(source: Readable, limitBytes: number, announcedBytes: number): void {
  if (announcedBytes > limitBytes) throw tooLarge(limitBytes, announcedBytes);
  // The caller may have hung up while its key or its rate was looked at.
  if (source.errored || (source.destroyed && !source.readableEnded)) throw cutShort();
}

// Most bodies are a few hundred bytes: a stream around one, and what turns that into an array, takes longer than all else
// that is done with it. The same rules as below.
async function collect(source: Readable, limitBytes: number, announcedBytes: number): Promise<Buffer> {
  refuseUnread(source, limitBytes, announcedBytes);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let seen = 0;
  const fail = (error: Error): void => {
    reject(error);
    // At once: a source without an end gives its next chunk before anything else happens.
    source.destroy();
  };
  const stop = watchPace({ destroy: fail }, () => seen);
  source.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > limitBytes) fail(tooLarge(limitBytes, seen));
    else chunks.push(chunk);
  });
  source.once('end', () => (seen < announcedBytes ? reject(cutShort()) : resolve(Buffer.concat(chunks))));
  const endEarly = (): void => {
    if (!source.readableEnded) reject(cutShort());
  };
  source.once('error', endEarly).once('close', endEarly);
  try {
    return await promise;
  } finally {
    stop();
    source.destroy();
  }
}

// Destroying the returned stream destroys the source. Slow loris: a body that trickles ends with the tooSlow problem.
function limitStream(source: Readable, limitBytes: number, announcedBytes: number): Readable {
  refuseUnread(source, limitBytes, announcedBytes);
  let seen = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      if (seen > limitBytes) done(tooLarge(limitBytes, seen));
      else done(null, chunk);
    },
    flush(done) {
      done(seen < announcedBytes ? cutShort() : null);
    },
  });
  source.once('error', () => limit.destroy(cutShort()));
  source.once('close', () => {
    if (!source.readableEnded) limit.destroy(cutShort());
  });
  const stop = watchPace(limit, () => seen);
  limit.once('close', () => {
    stop();
    source.destroy();
  });
  // It may fail before anybody reads it. Without a listener it would end the process.
  limit.on('error', () => undefined);
  // Not a pipeline, which ends each body with an AbortError that nobody hears.
  return source.pipe(limit); // carries every failure
}

// Slices let a parser reach its own limits before it has the whole body.
const SLICE_BYTES = 65_536;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
