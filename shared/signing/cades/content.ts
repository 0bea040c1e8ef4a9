import { chunksOf, type Source } from '../cms/input.ts';
import { openHash, type SigningDigest } from '../digest.ts';
import { ContentMismatch } from '../errors.ts';

/** The hash and size of content, which is all that signing needs. */
export type MeasuredContent = { readonly hash: Buffer; readonly bytes: number };

/** A detached signature needs only the hash: the content itself may be elsewhere. */
export type DigestedContent = Pick<MeasuredContent, 'hash'> & Partial<MeasuredContent>;

/** Reads content once, as a stream. @example const content = await measure(createReadStream(path), 'sha256'); */
export async function measure(source: Source, digest: SigningDigest): Promise<MeasuredContent> {
  const hash = openHash(digest);
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { hash: hash.digest(), bytes };
}

/** Passes content on. Throws ContentMismatch before its end if it differs from the measured content. */
export async function* passUnchanged(
  source: Source,
  digest: SigningDigest,
  expected: MeasuredContent,
): AsyncGenerator<Uint8Array> {
  const hash = openHash(digest);
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    bytes += chunk.byteLength;
    if (bytes > expected.bytes) break;
    hash.update(chunk);
    yield chunk;
  }
  if (bytes !== expected.bytes || !hash.digest().equals(expected.hash))
    throw new ContentMismatch(
      `The content changed while it was being signed: ${expected.bytes} bytes were measured, and other bytes came when it was read again. Sign it again.`,
    );
}
