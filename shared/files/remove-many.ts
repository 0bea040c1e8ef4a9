import { DeleteObjectsCommand } from '@aws-sdk/client-s3';
import { forEachConcurrently } from '../async/for-each-concurrently.ts';
import type { Bucket } from './client.ts';
import { statusOf } from './errors.ts';
import { type DeleteResult, deleteByTag, remove } from './move-and-delete.ts';

/** A file to delete. With an entity tag, a file that has another one by now stays. */
export type DoomedFile = { readonly key: string; readonly etag?: string | undefined };

/** Every file is in one of these. A file that did not exist is removed. */
export type RemoveResult = {
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly failed: ReadonlyMap<string, unknown>;
};

// S3 takes no more in one request.
const FILES_PER_REQUEST = 1_000;
const ALONE_AT_ONCE = 8;

/** Deletes files, 1,000 in a request. One that fails keeps no other. */
export async function removeMany(bucket: Bucket, files: readonly DoomedFile[]): Promise<RemoveResult> {
  const removed: string[] = [];
  const changed: string[] = [];
  const failed = new Map<string, unknown>();
  for (let from = 0; from < files.length; from += FILES_PER_REQUEST) {
    const part = files.slice(from, from + FILES_PER_REQUEST);
    let confirmed: ReadonlySet<string>;
    try {
      confirmed = await removeTogether(bucket, part);
    } catch (error) {
      for (const { key } of part) failed.set(key, error);
      continue;
    }
    for (const { key } of part) if (confirmed.has(key)) removed.push(key);
    const rest = part.filter(({ key }) => !confirmed.has(key));
    await forEachConcurrently(ALONE_AT_ONCE, rest, async (file) => {
      try {
        const outcome = await removeAlone(bucket, file);
        (outcome === 'changed' ? changed : removed).push(file.key);
      } catch (error) {
        failed.set(file.key, error);
      }
    });
  }
  return { removed, changed, failed };
}

// Stores other than S3 may lack the request (405, 501), or take no checksum but an MD5 or no entity tags in it (400).
const UNABLE = new Set([400, 405, 501]);

/**
 * The keys that the store has deleted or does not have, as it says. The others are deleted alone: that is repeated after a failure that
 * passes, and tells a changed file from a failure.
 */
async function removeTogether(
  { name: Bucket, client }: Bucket,
  files: readonly DoomedFile[],
): Promise<ReadonlySet<string>> {
  const Objects = files.map(({ key: Key, etag: ETag }) => ({ Key, ...(ETag !== undefined && { ETag }) }));
  try {
    const { Deleted = [], Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
    );
    // With a tag, a file that is gone may be an error.
    const gone = Errors.filter(({ Code }) => Code === 'NoSuchKey');
    return new Set([...Deleted, ...gone].map(({ Key = '' }) => Key));
  } catch (error) {
    if (UNABLE.has(statusOf(error) ?? 0)) return new Set();
    throw error;
  }
}

async function removeAlone(bucket: Bucket, { key, etag }: DoomedFile): Promise<DeleteResult> {
  if (etag !== undefined) return deleteByTag(bucket, key, etag);
  await remove(bucket, key);
  return 'deleted';
}
