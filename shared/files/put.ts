import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Upload } from '@aws-sdk/lib-storage';
import { s3 } from './client.ts';
import { HashMismatch, TooLarge } from './errors.ts';

export type Source = AsyncIterable<Uint8Array> | Uint8Array;
export type PutOptions = MeasureOptions & { readonly contentType: string };
export type StoredFile = Measure & { readonly etag: string };

// Parts in flight for one upload. With S3's smallest part of 5 MB this is the memory a stream of any length takes.
const PARTS_AT_ONCE = 3;

/**
 * Sends a file as it comes. An object appears only when the last byte is accepted: until then its parts are
 * invisible, and any failure (the source's, a limit, a wrong hash) drops them.
 */
export async function put(
  Bucket: string,
  Key: string,
  source: Source,
  options: PutOptions,
): Promise<StoredFile> {
  const measure = startMeasuring(Key, options);
  let seen: Measure | undefined;
  async function* passMeasured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      measure.add(chunk);
      yield chunk;
    }
    seen = measure.end(); // Throws while the upload still waits for the end, so nothing is completed.
  }

  if (source instanceof Uint8Array) {
    measure.add(source);
    seen = measure.end();
  }
  const body =
    source instanceof Uint8Array ? source : Readable.from(passMeasured(source), { objectMode: false });
  try {
    const params = {
      Bucket,
      Key,
      Body: body,
      ContentType: options.contentType,
      ChecksumAlgorithm: 'CRC32',
    } as const;
    const { ETag } = await new Upload({ client: s3(), params, queueSize: PARTS_AT_ONCE }).done();
    if (seen === undefined || ETag === undefined) throw new Error(`S3 did not confirm the file ${Key}.`);
    return { ...seen, etag: ETag };
  } finally {
    // When S3 fails the source is not read to its end: let it go, or its connection hangs.
    if (body instanceof Readable) body.destroy();
  }
}

/** What was seen of a file while it flowed. Hashes are in lower-case hexadecimal. */
export type Measure = { readonly length: number; readonly sha256: string; readonly md5: string };

export type MeasureOptions = { readonly maxBytes?: number | undefined; readonly sha256?: string | undefined };

/** Counts and hashes chunks, and refuses at the first byte too many or at a wrong hash. */
export function startMeasuring(key: string, { maxBytes = Number.POSITIVE_INFINITY, sha256 }: MeasureOptions) {
  const sha256Hash = createHash('sha256');
  const md5Hash = createHash('md5');
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      length += chunk.byteLength;
      if (length > maxBytes) throw new TooLarge(key, maxBytes, length);
      sha256Hash.update(chunk);
      md5Hash.update(chunk);
    },
    end(): Measure {
      const measure = { length, sha256: sha256Hash.digest('hex'), md5: md5Hash.digest('hex') };
      if (sha256 !== undefined && sha256.toLowerCase() !== measure.sha256) {
        throw new HashMismatch(key, sha256, measure.sha256);
      }
      return measure;
    },
  };
}
