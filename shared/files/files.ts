import { bucketName, type ServiceName } from '../settings/names.ts';
import { type About, get, head, type Opened, read } from './get.ts';
import { checkedKey, checkedPrefix } from './key.ts';
import { type ListPage, list } from './list.ts';
import { move } from './move.ts';
import { type Deletion, deleteIfSame, type Known } from './move-and-delete.ts';
import { type DownloadLink, downloadUrl, type Upload, type UploadLink, uploadUrl } from './presign.ts';
import { type PutOptions, put, type Source, type Stored } from './put.ts';
import { remove } from './remove.ts';

/** The files of one service. Keys are plain paths in its bucket; any other is refused with BadKey. */
export type Files = {
  /**
   * Stores a stream or bytes, measured while they flow. A failure leaves nothing: TooLarge past `maxBytes`,
   * HashMismatch when `sha256` is given and differs, or the source's own error.
   */
  readonly put: (key: string, source: Source, options: PutOptions) => Promise<Stored>;
  /** Opens a file. Whoever opens it reads the stream to its end or destroys it: it holds a connection. */
  readonly get: (key: string) => Promise<Opened | undefined>;
  readonly head: (key: string) => Promise<About | undefined>;
  /** A whole file in memory. TooLarge when it is larger. */
  readonly read: (key: string, maxBytes: number) => Promise<Buffer | undefined>;
  /** Safe to repeat; replaces what is at `to`. 'gone' when neither is there. */
  readonly move: (from: string, to: string) => Promise<'moved' | 'gone'>;
  /** Deletes a file only if it still is what is known of it. */
  readonly deleteIfSame: (key: string, known: Known) => Promise<Deletion>;
  /** Deletes a file whatever it holds. One that is not there is fine, so it may be repeated. */
  readonly remove: (key: string) => Promise<void>;
  /** By name, up to 1,000 at a time; `cursor` continues. */
  readonly list: (prefix: string, cursor?: string) => Promise<ListPage>;
  /** Lets a caller send one file of the announced type and size straight to the store. */
  readonly uploadUrl: (key: string, link: UploadLink) => Promise<Upload>;
  /** Lets a caller fetch one file straight from the store, saved under a name of its own. */
  readonly downloadUrl: (key: string, link: DownloadLink) => Promise<string>;
};

/**
 * The files that a service keeps.
 * @example const stored = await files('documents').put(`uploads/${id}`, stream, { contentType, maxBytes });
 */
export function files(service: ServiceName): Files {
  const bucket = bucketName(service);
  return {
    put: async (key, source, options) => put(bucket, checkedKey(key), source, options),
    get: async (key) => get(bucket, checkedKey(key)),
    head: async (key) => head(bucket, checkedKey(key)),
    read: async (key, maxBytes) => read(bucket, checkedKey(key), maxBytes),
    move: async (from, to) => move(bucket, checkedKey(from), checkedKey(to)),
    deleteIfSame: async (key, known) => deleteIfSame(bucket, checkedKey(key), known),
    remove: async (key) => remove(bucket, checkedKey(key)),
    list: async (prefix, cursor) => list(bucket, checkedPrefix(prefix), cursor),
    uploadUrl: async (key, link) => uploadUrl(bucket, checkedKey(key), link),
    downloadUrl: async (key, link) => downloadUrl(bucket, checkedKey(key), link),
  };
}
