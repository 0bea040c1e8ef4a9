import { Readable } from 'node:stream';
import type { HostEvent } from '../call.ts';
import { Problem } from '../errors.ts';

/** A body that nobody has read yet. */
export type RawBody = {
  /** The media type alone, in lower case; empty when the caller named none. */
  readonly mediaType: string;
  /** The whole Content-Type, with its parameters. */
  readonly contentType: string;
  /** All of it, or the tooLarge problem. */
  readonly bytes: (limitBytes: number) => Promise<Buffer>;
  /** As it arrives; it fails with the tooLarge problem where it passes the limit. */
  readonly stream: (limitBytes: number) => Readable;
};

export function rawBody(event: HostEvent, headers: Readonly<Record<string, string>>): RawBody {
  const contentType = headers['content-type'] ?? '';
  return {
    contentType,
    mediaType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    bytes: async (limitBytes) =>
      event.bodyStream ? collect(event.bodyStream, limitBytes) : held(event, limitBytes),
    stream: (limitBytes) =>
      event.bodyStream
        ? Readable.from(bounded(event.bodyStream, limitBytes), { objectMode: false })
        : Readable.from(slices(held(event, limitBytes)), { objectMode: false }),
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

async function* bounded(source: Readable, limitBytes: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > limitBytes) throw tooLarge(limitBytes, seen);
    yield chunk;
  }
}

// In slices, so that a parser's own limits are met before it has been handed everything.
const SLICE_BYTES = 65_536;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

async function collect(source: Readable, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(source, limitBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
