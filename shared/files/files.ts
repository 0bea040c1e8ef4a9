import type { ServiceName } from '../settings/names.ts';
import { type Bucket, ownBucket } from './client.ts';
import { BadKey } from './errors.ts';
import {
  type FileInfo,
  get,
  head,
  type ListOptions,
  type ListPage,
  list,
  type OpenFile,
  type Range,
  read,
  readRange,
} from './get.ts';
import {
  type CopyResult,
  copy,
  type DeleteResult,
  deleteByTag,
  deleteIfSame,
  type KnownFile,
  type MoveResult,
  move,
  remove,
} from './move-and-delete.ts';
import {
  type DownloadOptions,
  downloadUrl,
  type PresignedUpload,
  type UploadOptions,
  uploadUrl,
} from './presign.ts';
import { type PutOptions, put, type Source, type StoredFile } from './put.ts';
import { type DoomedFile, type RemoveResult, removeMany } from './remove-many.ts';

/** A place for files that is not the service's own bucket: another bucket, or a folder of it. */
export type FileStore = {
  readonly bucket: Bucket;
  /** All keys are below this folder. Empty for the whole bucket. */
  readonly prefix: string;
};

/** The files of one store. Keys are plain paths in it; other keys throw BadKey. */
export type Files = {
  /** Whether its server may ignore conditions of requests, as some other than AWS do. */
  readonly mayIgnoreConditions: boolean;
  /**
   * Stores a stream or bytes, and measures them. A failure stores nothing: TooLarge above `maxBytes`, HashMismatch
   * if `sha256` differs, or the source's own error.
   */
  readonly put: (key: string, source: Source, options: PutOptions) => Promise<StoredFile>;
  /** Opens a file, or a part of it: `length` is of what is read. The caller reads the stream to its end or destroys it: it holds a connection. */
  readonly get: (key: string, part?: Range) => Promise<OpenFile | undefined>;
  readonly head: (key: string) => Promise<FileInfo | undefined>;
  /** Reads a whole file into memory. Throws TooLarge above `maxBytes`. */
  readonly read: (key: string, maxBytes: number) => Promise<Buffer | undefined>;
  /** Reads a part of a file. Shorter than asked for only at its end; a part that begins behind it is an error. */
  readonly readRange: (key: string, range: Range) => Promise<Buffer | undefined>;
  /** Replaces a file at `to`. 'gone' when there is none at `from`, 'changed' when it has another entity tag. */
  readonly copy: (from: string, to: string, etag?: string) => Promise<CopyResult>;
  /** Idempotent; replaces a file at `to`. 'gone' when neither file exists, 'changed' when it has another entity tag. */
  readonly move: (from: string, to: string, etag?: string) => Promise<MoveResult>;
  /** Deletes a file only if its content is still the known one. */
  readonly deleteIfSame: (key: string, known: KnownFile) => Promise<DeleteResult>;
  /** Deletes a file only if it has this entity tag. */
  readonly deleteByTag: (key: string, etag: string) => Promise<DeleteResult>;
  /** Deletes a file whatever its content. Idempotent: a missing file is no error. */
  readonly remove: (key: string) => Promise<void>;
  /** The same of many files, in few requests. It tells what became of each, and throws for none. */
  readonly removeMany: (doomed: readonly DoomedFile[]) => Promise<RemoveResult>;
  /** By name, up to 1,000 at a time; `cursor` continues. */
  readonly list: (prefix: string, options?: ListOptions) => Promise<ListPage>;
  /** The same to its end, page by page. */
  readonly pages: (prefix: string) => AsyncGenerator<ListPage['files']>;
  /** Throws BadKey for a key that no other function takes. */
  readonly requireKey: (key: string) => void;
  /** A presigned link to upload one file of the announced type and size to S3. */
  readonly uploadUrl: (key: string, link: UploadOptions) => Promise<PresignedUpload>;
  /** A presigned link to download one file from S3 under a given name. */
  readonly downloadUrl: (key: string, link: DownloadOptions) => Promise<string>;
};

/**
 * The files of a service, or of a store elsewhere.
 * @example const stored = await files('documents').put(`uploads/${id}`, stream, { contentType, maxBytes });
 *          await files({ bucket: { name: 'entrada', client }, prefix: 'acme' }).list('');
 */
export function files(where: ServiceName | FileStore): Files {
  const { bucket, prefix } = typeof where === 'string' ? { bucket: ownBucket(where), prefix: '' } : where;
  const folder = prefix === '' ? '' : `${prefix}/`;
  const at = (key: string): string => requireSafeKey(folder + key);
  const listPage: Files['list'] = async (start, options) => {
    const page = await list(bucket, requireSafePrefix(folder + start), options);
    return { ...page, files: page.files.map((file) => ({ ...file, key: file.key.slice(folder.length) })) };
  };
  return {
    mayIgnoreConditions: bucket.mayIgnoreConditions ?? false,
    put: async (key, source, options) => put(bucket, at(key), source, options),
    get: async (key, part) => get(bucket, at(key), part),
    head: async (key) => head(bucket, at(key)),
    read: async (key, maxBytes) => read(bucket, at(key), maxBytes),
    readRange: async (key, range) => readRange(bucket, at(key), range),
    copy: async (from, to, etag) => copy(bucket, at(from), at(to), etag),
    move: async (from, to, etag) => move(bucket, at(from), at(to), etag),
    deleteIfSame: async (key, known) => deleteIfSame(bucket, at(key), known),
    deleteByTag: async (key, etag) => deleteByTag(bucket, at(key), etag),
    remove: async (key) => remove(bucket, at(key)),
    removeMany: async (doomed) => {
      const refused = new Map<string, unknown>();
      const safe = doomed.flatMap(({ key, etag }) => {
        try {
          return [{ key: at(key), etag }];
        } catch (error) {
          refused.set(key, error);
          return [];
        }
      });
      const { removed, changed, failed } = await removeMany(bucket, safe);
      const own = (key: string): string => key.slice(folder.length);
      return {
        removed: removed.map(own),
        changed: changed.map(own),
        failed: new Map([...refused, ...[...failed].map(([key, error]) => [own(key), error] as const)]),
      };
    },
    list: listPage,
    async *pages(start) {
      let cursor: string | undefined;
      do {
        const page = await listPage(start, { cursor });
        yield page.files;
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
    requireKey: (key) => {
      at(key);
    },
    uploadUrl: async (key, link) => uploadUrl(bucket, at(key), link),
    downloadUrl: async (key, link) => downloadUrl(bucket, at(key), link),
  };
}

// The limit of S3.
const MAX_KEY_BYTES = 1_024;

/**
 * Path traversal: refuses keys that are not plain paths inside the bucket. S3 accepts "../x" as a name, but links,
 * proxies and emulators resolve it, and with the bucket in the path it would reach another bucket.
 */
function requireSafeKey(key: string): string {
  const parts = key.split('/');
  if (key === '') throw new BadKey(key, 'is empty');
  if (parts.includes(''))
    throw new BadKey(key, 'has an empty part: it starts or ends with "/", or holds "//"');
  if (parts.includes('.') || parts.includes('..')) throw new BadKey(key, 'has a part "." or ".."');
  return requireSafeText(key);
}

/** Checks a prefix for a list: the start of a key, or empty for the whole bucket. */
function requireSafePrefix(prefix: string): string {
  if (prefix !== '') requireSafeKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return prefix;
}

function requireSafeText(key: string): string {
  if (key.includes('\\')) throw new BadKey(key, 'holds a backslash');
  if (/[\p{Cc}\uFFFE\uFFFF]/u.test(key)) throw new BadKey(key, 'holds a control character');
  if (!key.isWellFormed()) throw new BadKey(key, 'is not well-formed Unicode');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new BadKey(key, `is longer than ${MAX_KEY_BYTES} bytes`);
  return key;
}
