import { CopyObjectCommand, DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { Bucket } from './client.ts';
import { isMissingFile, statusOf } from './errors.ts';
import { get, head } from './get.ts';
import { sha256Of } from './sha256.ts';

/** The last known content of a file. The hash is in hexadecimal. */
export type KnownFile = {
  readonly length: number;
  readonly sha256: string;
  readonly etag?: string | undefined;
};
export type DeleteResult = 'deleted' | 'changed' | 'gone';

/** Deletes a file only if its bytes are the known ones. */
export async function deleteIfSame(bucket: Bucket, key: string, known: KnownFile): Promise<DeleteResult> {
  const found = await get(bucket, key);
  if (!found) return 'gone';
  const isOther = found.length !== known.length || (known.etag !== undefined && found.etag !== known.etag);
  if (isOther) {
    found.stream.destroy();
    return 'changed';
  }
  if ((await sha256Of(found.stream)) !== known.sha256.toLowerCase()) return 'changed';
  return deleteByTag(bucket, key, found.etag);
}

// Another writer may come between the comparison and the deletion:
//
//   this    |--compare: same--|                   |--delete If-Match tag-- refused: 'changed'
//   writer                     |--new content--|
//
// S3 and the embedded store refuse the deletion, because the tag has changed. A server that ignores If-Match on deletion,
// or does not implement it (501), is asked for the tag right before: there the race is the time between the two calls.

/** Deletes a file only if it has this entity tag. */
export async function deleteByTag(bucket: Bucket, Key: string, etag: string): Promise<DeleteResult> {
  const notSame = async (): Promise<DeleteResult | undefined> => {
    const found = await head(bucket, Key);
    return found?.etag === etag ? undefined : found ? 'changed' : 'gone';
  };
  try {
    const early = bucket.mayIgnoreConditions ? await notSame() : undefined;
    if (early) return early;
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key, IfMatch: etag }));
    return 'deleted';
  } catch (error) {
    if (statusOf(error) !== NOT_IMPLEMENTED) return deleteResultOf(error);
  }
  const late = await notSame();
  if (late) return late;
  await remove(bucket, Key);
  return 'deleted';
}

const NOT_IMPLEMENTED = 501;

// 409: another write to the same key is in progress. The file stays in both cases.
function deleteResultOf(error: unknown): DeleteResult {
  const status = statusOf(error);
  if (isMissingFile(error)) return 'gone';
  if (status === 409 || status === 412) return 'changed';
  throw error;
}

export type CopyResult = 'copied' | 'changed' | 'gone';

const PRECONDITION_FAILED = 412;

/** Copies a file, and replaces one at `to`. With an entity tag, a source with another one is not copied. */
export async function copy(
  { name: Bucket, client }: Bucket,
  from: string,
  to: string,
  CopySourceIfMatch?: string,
): Promise<CopyResult> {
  const CopySource = `${Bucket}/${from.split('/').map(encodeURIComponent).join('/')}`;
  try {
    await client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource, CopySourceIfMatch }));
    return 'copied';
  } catch (error) {
    if (statusOf(error) === PRECONDITION_FAILED) return 'changed';
    if (isMissingFile(error)) return 'gone';
    throw error;
  }
}

export type MoveResult = 'moved' | 'changed' | 'gone';

/**
 * Copies a file, then deletes the source. A repeated or interrupted move ends the same way: the copy is made again,
 * or the source is gone and the target exists. Content that is written to `from` meanwhile stays there. With an entity
 * tag, a source with another one stays.
 */
export async function move(bucket: Bucket, from: string, to: string, etag?: string): Promise<MoveResult> {
  const source = await head(bucket, from);
  if (!source) return (await head(bucket, to)) ? 'moved' : 'gone';
  if (etag !== undefined && source.etag !== etag) return 'changed';
  if (from === to) return 'moved';
  const copied = await copy(bucket, from, to, source.etag);
  if (copied === 'changed') return 'changed';
  // A concurrent move has deleted the source.
  if (copied === 'gone') return (await head(bucket, to)) ? 'moved' : 'gone';
  await deleteByTag(bucket, from, source.etag);
  return 'moved';
}

/** S3 gives the same answer whether the file existed or not. */
export async function remove({ name: Bucket, client }: Bucket, Key: string): Promise<void> {
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
}
