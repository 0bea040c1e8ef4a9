import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AbortMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Bucket } from './client.ts';
import { FileExists, HashMismatch, statusOf, TooLarge } from './errors.ts';
import { head } from './get.ts';

export type Source = AsyncIterable<Uint8Array> | Uint8Array;
export type PutOptions = MeasureOptions & {
  readonly contentType: string;
  /** Refuses with FileExists where a file has this key already. */
  readonly onlyIfAbsent?: boolean;
};
export type StoredFile = Measure & { readonly etag: string };

const PRECONDITION_FAILED = 412;

// S3's smallest part.
const PART_BYTES = 5 * 1_024 * 1_024;
// Parts in flight for one upload. With parts of this size this limits the memory for a stream of any length.
const PARTS_AT_ONCE = 3;

/**
 * Uploads a stream. The object appears only when the last byte is accepted. Until then its parts are invisible, and a
 * failure (of the source, the limit or the hash) discards them.
 */
export async function put(
  bucket: Bucket,
  Key: string,
  source: Source,
  options: PutOptions,
): Promise<StoredFile> {
  const { name: Bucket, client } = bucket;
  let seen: Measure | undefined;
  async function* passMeasured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const measure = startMeasuring(Key, options);
    for await (const chunk of chunks) {
      measure.add(chunk);
      yield chunk;
    }
    seen = measure.end(); // throws before the upload ends, so that the object is not created
  }

  if (source instanceof Uint8Array) seen = measureBytes(Key, source, options);
  const body =
    source instanceof Uint8Array ? source : Readable.from(passMeasured(source), { objectMode: false });
  const params = {
    Bucket,
    Key,
    Body: body,
    ContentType: options.contentType,
    ChecksumAlgorithm: 'CRC32',
    ...(options.onlyIfAbsent && { IfNoneMatch: '*' }),
  } as const;
  const isOnePart = body instanceof Uint8Array && body.length <= PART_BYTES;
  const upload = isOnePart ? undefined : new Upload({ client, params, queueSize: PARTS_AT_ONCE });
  try {
    const { ETag } = upload ? await upload.done() : await client.send(new PutObjectCommand(params));
    if (seen === undefined || ETag === undefined) throw new Error(`S3 did not confirm the file ${Key}.`);
    return Object.assign(seen, { etag: ETag });
  } catch (error) {
    if (!options.onlyIfAbsent || statusOf(error) !== PRECONDITION_FAILED) throw error;
    // The SDK discards the parts of an upload that fails before its end, and not of one that is refused at its end.
    const UploadId = upload?.uploadId;
    if (UploadId) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    // The SDK repeats a request whose answer was lost: then the file that is there is this one.
    const found = await head(bucket, Key);
    if (seen && found?.etag === `"${seen.md5}"`) return Object.assign(seen, { etag: found.etag });
    throw new FileExists(Key);
  } finally {
    // When S3 fails, the source is not read to its end: without destroy its connection hangs.
    if (body instanceof Readable) body.destroy();
  }
}

/** The size and hashes of a file. Hashes are in lower-case hexadecimal. */
type Measure = { readonly length: number; readonly sha256: string; readonly md5: string };

type MeasureOptions = { readonly maxBytes?: number | undefined; readonly sha256?: string | undefined };

/** Counts and hashes chunks. Throws at the first byte above the limit, or at a wrong hash. */
function startMeasuring(key: string, { maxBytes = Number.POSITIVE_INFINITY, sha256 }: MeasureOptions) {
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
      requireHash(key, measure, sha256);
      return measure;
    },
  };
}

/** The same of bytes that are all here. Most callers read no hash, so each is computed when it is read. */
function measureBytes(
  key: string,
  bytes: Uint8Array,
  { maxBytes = Number.POSITIVE_INFINITY, sha256 }: MeasureOptions,
): Measure {
  if (bytes.length > maxBytes) throw new TooLarge(key, maxBytes, bytes.length);
  const measure: Measure = {
    length: bytes.length,
    get sha256() {
      return hash('sha256', bytes);
    },
    get md5() {
      return hash('md5', bytes);
    },
  };
  requireHash(key, measure, sha256);
  return measure;
}

function requireHash(key: string, found: Measure, sha256: string | undefined): void {
  if (sha256 !== undefined && sha256.toLowerCase() !== found.sha256)
    throw new HashMismatch(key, sha256, found.sha256);
}
