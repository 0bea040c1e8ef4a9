import { pipeline, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Problem } from '../../errors/errors.ts';
import type { HostEvent } from '../call.ts';
import { watchPace } from './pace.ts';

/** A body that nobody has read yet. */
export type RawBody = {
  /** The media type alone, in lower case; empty when the caller named none. */
  readonly mediaType: string;
  /** The whole Content-Type, with its parameters. */
  readonly contentType: string;
  /** How the caller says that the bytes are compressed; empty when they are not. */
  readonly encoding: string;
  /** All of it, or the tooLarge problem. */
  readonly bytes: (limitBytes: number) => Promise<Buffer>;
  /** As it arrives; it fails with the tooLarge problem where it passes the limit. */
  readonly stream: (limitBytes: number) => Readable;
};

export function rawBody(event: HostEvent, headers: Readonly<Record<string, string>>): RawBody {
  const contentType = headers['content-type'] ?? '';
  const announcedBytes = Number(headers['content-length']);
  const stream = (limitBytes: number): Readable =>
    event.bodyStream
      ? bounded(event.bodyStream, limitBytes, announcedBytes)
      : Readable.from(slices(held(event, limitBytes)), { objectMode: false });
  return {
    contentType,
    encoding: (headers['content-encoding'] ?? '')
      .trim()
      .toLowerCase()
      .replace(/^identity$/, ''),
    mediaType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    stream,
    bytes: async (limitBytes) => (event.bodyStream ? buffer(stream(limitBytes)) : held(event, limitBytes)),
  };
}

/** What a refusal says about sizes, the same everywhere. */
export const tooLarge = (limitBytes: number, actualBytes: number): Problem =>
  new Problem('tooLarge', { limitBytes, actualBytes });

function held(event: HostEvent, limitBytes: number): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > limitBytes) throw tooLarge(limitBytes, bytes.length);
  return bytes;
}

// Destroying what this gives destroys the source too, so that nobody who stops reading leaves it open. A body that
// trickles (slow loris) ends with the tooSlow problem.
function bounded(source: Readable, limitBytes: number, announcedBytes: number): Readable {
  if (announcedBytes > limitBytes) throw tooLarge(limitBytes, announcedBytes);
  let seen = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      if (seen > limitBytes) done(tooLarge(limitBytes, seen));
      else done(null, chunk);
    },
  });
  const stop = watchPace(limit, () => seen);
  return pipeline(source, limit, stop); // whoever reads the result is told of a failure
}

// In slices, so that a parser's own limits are met before it has been handed everything.
const SLICE_BYTES = 65_536;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
