import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { Request } from '../request.ts';
import { afterPrefix, type Catalog, requireKey, type StoredObject } from './catalog.ts';
import type { Content } from './content.ts';
import {
  internalError,
  invalidArgument,
  invalidRange,
  noSuchKey,
  notFound,
  onlyKnown,
  preconditionFailed,
} from './errors.ts';

/** A part of an object: from a byte to another one, both within it. */
type ByteRange = { readonly start: number; readonly end: number };

// Read at once, and no file stays open for a reader who never comes. More is streamed.
const READ_AT_ONCE_BYTES = 262_144;
const MAX_KEYS = 1_000;

/** The commands that read objects. */
export function createReads(catalog: Catalog, content: Content) {
  async function headObject(request: Request) {
    onlyKnown(request, ['Bucket', 'Key']);
    const found =
      catalog.findBucket(request.Bucket) && catalog.find(String(request.Bucket), requireKey(request.Key));
    if (!found) throw notFound();
    return headersOf(found);
  }

  async function getObject(request: Request) {
    onlyKnown(request, ['Bucket', 'Key', 'Range', 'IfMatch', 'ResponseContentDisposition']);
    const { IfMatch, ResponseContentDisposition } = request;
    const key = requireKey(request.Key);
    const { object, opened } = await retryReplaced(
      () => {
        const found = catalog.find(catalog.requireBucket(request.Bucket).name, key);
        if (!found) throw noSuchKey();
        if (IfMatch !== undefined && !isTag(IfMatch, found.etag)) throw preconditionFailed();
        return found;
      },
      (found) => content.open(found.content),
    );
    let range: ByteRange | undefined;
    try {
      range = rangeOf(request.Range, object.size);
    } catch (error) {
      await opened.close();
      throw error;
    }
    const { start, end } = range ?? { start: 0, end: object.size - 1 };
    return {
      ...headersOf(object),
      ContentLength: end - start + 1,
      ...(range && { ContentRange: `bytes ${start}-${end}/${object.size}` }),
      ...(ResponseContentDisposition !== undefined && { ContentDisposition: ResponseContentDisposition }),
      Body: withTransforms(await bodyOf(opened, { start, end })),
    };
  }

  async function listObjects(request: Request) {
    onlyKnown(request, ['Bucket', 'Prefix', 'Delimiter', 'MaxKeys', 'ContinuationToken', 'StartAfter']);
    const { ContinuationToken, StartAfter } = request;
    const { name } = catalog.requireBucket(request.Bucket);
    const { Prefix = '', Delimiter = '' } = request as { Prefix?: string; Delimiter?: string };
    const max = Math.min(Number(request.MaxKeys ?? MAX_KEYS), MAX_KEYS);
    const before = afterPrefix(Prefix);
    // The next text after one is the same with U+0000.
    const after = StartAfter === undefined ? Prefix : `${StartAfter}\0`;
    let from: string | Uint8Array =
      ContinuationToken === undefined ? later(Prefix, after) : keyOf(ContinuationToken);
    const found: (StoredObject & { key: string })[] = [];
    const folders: string[] = [];
    const answer = (next?: string) => ({
      Name: name,
      Prefix,
      MaxKeys: max,
      KeyCount: found.length + folders.length,
      IsTruncated: next !== undefined,
      ...(next !== undefined && { NextContinuationToken: Buffer.from(next).toString('base64url') }),
      ...(found.length > 0 && { Contents: found.map(listed) }),
      ...(folders.length > 0 && { CommonPrefixes: folders.map((folder) => ({ Prefix: folder })) }),
    });

    for (let folder: string | undefined = ''; folder !== undefined && max > 0; ) {
      folder = undefined;
      for (const object of catalog.list(name, { from, before }, max - found.length - folders.length + 1)) {
        if (found.length + folders.length === max) return answer(object.key);
        folder = folderOf(object.key, Prefix, Delimiter);
        if (folder === undefined) found.push(object);
        else {
          folders.push(folder);
          from = afterPrefix(folder);
          break;
        }
      }
    }
    return answer();
  }

  return { HeadObject: headObject, GetObject: getObject, ListObjectsV2: listObjects };
}

/**
 * Finds a row and takes its content. Another write may replace the object and remove its content between the two: then
 * there is another row, and it is taken instead.
 */
export async function retryReplaced<T>(
  find: () => StoredObject,
  take: (found: StoredObject) => Promise<T>,
): Promise<{ object: StoredObject; opened: T }> {
  for (let missing: string | undefined; ; ) {
    const object = find();
    if (object.content === missing)
      throw internalError(`The store is damaged: the file ${missing} of an object is not there.`);
    try {
      return { object, opened: await take(object) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      missing = object.content;
    }
  }
}

/** Whether an object has the tag that a condition names. */
export const isTag = (wanted: unknown, etag: string): boolean =>
  wanted === '*' || unquoted(String(wanted)) === unquoted(etag);
const unquoted = (tag: string): string => tag.replaceAll('"', '');

const headersOf = ({ etag, size, type, modifiedMs }: StoredObject) => ({
  AcceptRanges: 'bytes',
  ContentLength: size,
  ContentType: type,
  ETag: etag,
  LastModified: new Date(modifiedMs),
  Metadata: {},
});

const listed = ({ key, etag, size, modifiedMs }: StoredObject & { key: string }) => ({
  Key: key,
  ETag: etag,
  Size: size,
  LastModified: new Date(modifiedMs),
  StorageClass: 'STANDARD',
});

const later = (one: string, other: string): string =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0 ? one : other;

function folderOf(key: string, prefix: string, delimiter: string): string | undefined {
  const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

function keyOf(token: unknown): string {
  const key = Buffer.from(String(token), 'base64url');
  if (key.length === 0 || key.toString('base64url') !== token)
    throw invalidArgument('The continuation token provided is incorrect');
  return key.toString();
}

/** RFC 9110, 14.1.2. A header that is not one range of bytes counts as none, as in S3. */
function rangeOf(header: unknown, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(String(header ?? '')) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  // The end of an empty object is all of it.
  if (size === 0 && first === '' && Number(last) > 0) return undefined;
  if (start >= size) throw invalidRange();
  return { start, end };
}

async function bodyOf(file: FileHandle, { start, end }: ByteRange): Promise<Readable> {
  const length = end - start + 1;
  if (length > READ_AT_ONCE_BYTES) return file.createReadStream({ start, end });
  try {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, length, start);
    if (bytesRead !== length) throw internalError('The store is damaged: the file of an object was cut.');
    return Readable.from(length === 0 ? [] : [bytes], { objectMode: false });
  } finally {
    await file.close();
  }
}

/** As the SDK gives bodies. */
const withTransforms = (body: Readable) =>
  Object.assign(body, {
    transformToByteArray: async (): Promise<Uint8Array> => buffer(body),
    transformToString: (): Promise<string> => text(body),
  });
