import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { Request } from '../request.ts';
import { type Bucket, type Catalog, requireKey, type StoredObject } from './catalog.ts';
import type { Content } from './content.ts';
import {
  invalidArgument,
  invalidRequest,
  malformed,
  noSuchKey,
  notImplemented,
  onlyKnown,
  preconditionFailed,
} from './errors.ts';
import type { Notify, Write } from './notifications.ts';
import { isTag, retryReplaced } from './reads.ts';

export const DEFAULT_TYPE = 'application/octet-stream';
const MAX_DELETIONS = 1_000;

/** What all writes need. */
export type Writing = {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly content: Content;
  readonly notify: Notify;
  readonly now: () => number;
};

/** A new object at a key, in the place of the one before. Inside a commit; gives the contents that nothing uses now. */
export function writeObject(
  { catalog, notify }: Writing,
  bucket: Bucket,
  write: Write & { readonly ifNoneMatch: unknown },
  object: StoredObject,
): string[] {
  const before = catalog.find(bucket.name, write.key);
  if (before && write.ifNoneMatch !== undefined) throw preconditionFailed();
  notify(bucket, write, object);
  catalog.write(bucket.name, write.key, object);
  return before ? [before.content] : [];
}

/**
 * Commits work that needs a content, and removes the contents that nothing uses afterwards: those that the work gives, or
 * the new one if the work is refused. After a failure of the disk nobody knows what was committed: the sweep decides.
 */
export async function commitContent<T extends { unused: readonly string[] }>(
  { database, content }: Writing,
  id: string,
  work: () => T,
): Promise<T> {
  const done = await database.commit(work).catch(async (error) => {
    if (error instanceof StoreError) await content.remove(id);
    throw error;
  });
  await content.remove(...done.unused);
  return done;
}

/** S3 takes no other condition where something is written. */
export function requireStar(ifNoneMatch: unknown): void {
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw notImplemented('The embedded store does not implement IfNoneMatch with another value than *.');
}

export const quoted = (md5: Buffer): string => `"${md5.toString('hex')}"`;

// A checksum guards the way to S3, and here there is none.
const PUT = ['Bucket', 'Key', 'Body', 'ContentType', 'ContentLength', 'IfNoneMatch', 'ChecksumAlgorithm'];

/** The commands that write and delete objects. */
export function createWrites(writing: Writing) {
  const { database, catalog, content, now } = writing;

  async function putObject(request: Request) {
    onlyKnown(request, PUT);
    const { Bucket, Body, ContentType = DEFAULT_TYPE, ContentLength, IfNoneMatch: ifNoneMatch } = request;
    requireStar(ifNoneMatch);
    const key = requireKey(request.Key);
    catalog.requireBucket(Bucket);
    const received = await content.receive(Body, ContentLength as number | undefined);
    const etag = quoted(received.md5);
    await commitContent(writing, received.content, () => {
      const object = { ...received, etag, type: String(ContentType), modifiedMs: now() };
      const write = { key, event: 's3:ObjectCreated:Put', ifNoneMatch } as const;
      return { unused: writeObject(writing, catalog.requireBucket(Bucket), write, object) };
    });
    return { ETag: etag };
  }

  // The source may change between the link to its content and the commit. Then the copy is made again, so that it is
  // of one moment.
  async function copyObject(request: Request) {
    onlyKnown(request, ['Bucket', 'Key', 'CopySource', 'CopySourceIfMatch']);
    const { Bucket, CopySourceIfMatch } = request;
    const key = requireKey(request.Key);
    const from = sourceOf(request.CopySource);
    catalog.requireBucket(Bucket);
    requireObject(from, CopySourceIfMatch);
    if (from.bucket === Bucket && from.key === key)
      throw invalidRequest('This copy request is illegal because it would copy an object to itself.');
    for (;;) {
      const { object: source, opened: copied } = await retryReplaced(
        () => requireObject(from, CopySourceIfMatch),
        (found) => content.duplicate(found.content),
      );
      const { object } = await commitContent(writing, copied, () => {
        if (requireObject(from, CopySourceIfMatch).content !== source.content)
          return { object: undefined, unused: [copied] };
        // S3 gives the copy of an upload in parts another tag; this one keeps it, because nothing is read.
        const made = { ...source, content: copied, modifiedMs: now() };
        const write = { key, event: 's3:ObjectCreated:Copy', ifNoneMatch: undefined } as const;
        return { object: made, unused: writeObject(writing, catalog.requireBucket(Bucket), write, made) };
      });
      if (object)
        return { CopyObjectResult: { ETag: object.etag, LastModified: new Date(object.modifiedMs) } };
    }
  }

  function requireObject(from: { bucket: string; key: string }, ifMatch: unknown): StoredObject {
    catalog.requireBucket(from.bucket);
    const found = catalog.find(from.bucket, from.key);
    if (!found) throw noSuchKey();
    if (ifMatch !== undefined && !isTag(ifMatch, found.etag)) throw preconditionFailed();
    return found;
  }

  /** Deletes inside a commit, and gives the contents that nothing uses now. */
  function remove(bucket: string, key: string, ifMatch: unknown): string[] {
    const found = catalog.find(bucket, key);
    if (ifMatch !== undefined && !found) throw noSuchKey();
    if (ifMatch !== undefined && found && !isTag(ifMatch, found.etag)) throw preconditionFailed();
    if (!found) return [];
    catalog.remove(bucket, key);
    return [found.content];
  }

  async function deleteObject(request: Request) {
    onlyKnown(request, ['Bucket', 'Key', 'IfMatch']);
    const key = requireKey(request.Key);
    const { name } = catalog.requireBucket(request.Bucket);
    if (request.IfMatch === undefined && !catalog.find(name, key)) return {};
    const unused = await database.commit(() =>
      remove(catalog.requireBucket(name).name, key, request.IfMatch),
    );
    await content.remove(...unused);
    return {};
  }

  async function deleteObjects(request: Request) {
    onlyKnown(request, ['Bucket', 'Delete', 'ChecksumAlgorithm']);
    const { Objects = [], ...more } = (request.Delete ?? {}) as { Objects?: readonly Request[] };
    onlyKnown(more, []);
    if (Objects.length === 0 || Objects.length > MAX_DELETIONS) throw malformed();
    for (const object of Objects) onlyKnown(object, ['Key', 'ETag']);
    const results = await database.commit(() => {
      const { name } = catalog.requireBucket(request.Bucket);
      return Objects.map(({ Key, ETag }) => {
        try {
          return { Key, unused: remove(name, requireKey(Key), ETag), error: undefined };
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          return { Key, unused: [], error };
        }
      });
    });
    await content.remove(...results.flatMap(({ unused }) => unused));
    return {
      Deleted: results.flatMap(({ Key, error }) => (error ? [] : [{ Key }])),
      Errors: results.flatMap(({ Key, error }) =>
        error ? [{ Key, Code: error.name, Message: error.message }] : [],
      ),
    };
  }

  return {
    PutObject: putObject,
    CopyObject: copyObject,
    DeleteObject: deleteObject,
    DeleteObjects: deleteObjects,
  };
}

function sourceOf(source: unknown): { bucket: string; key: string } {
  const [, bucket = '', key = ''] = /^\/?([^/?]+)\/([^?]+)$/.exec(String(source)) ?? [];
  try {
    return { bucket: decodeURIComponent(bucket), key: requireKey(decodeURIComponent(key)) };
  } catch {
    throw invalidArgument('The copy source is to be a bucket and a key, encoded as in a URL.');
  }
}
