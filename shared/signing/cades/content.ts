import { chunksOf, type Source } from '../cms/input.ts';
import { openHash, type SigningDigest } from '../digest.ts';
import { ContentMismatch } from '../errors.ts';

/** All that signing needs to know of content: it may be of any size and anywhere. */
export type MeasuredContent = { readonly hash: Buffer; readonly bytes: number };

/** A detached signature needs no more than the digest of its content, which may be out of reach. */
export type DigestedContent = Pick<MeasuredContent, 'hash'> & Partial<MeasuredContent>;

/** Reads content once, holding none of it. @example const content = await measure(createReadStream(path), 'sha256'); */
export async function measure(source: Source, digest: SigningDigest): Promise<MeasuredContent> {
  const hash = openHash(digest);
  let bytes = 0;
  for await (const chunk of chunksOf(source)) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { hash: hash.digest(), bytes };
}

/** Passes content on and refuses, before its end, content that is not what was measured. */
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
