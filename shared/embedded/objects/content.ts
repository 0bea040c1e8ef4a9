// The content of objects: one file for each, which never changes. A name is random, so nothing that a caller sends is in
// a path.
//
//   incoming/<id>   |--written--|--synced--|--renamed to <two digits>/<id>--|--folder synced--|  then the row is committed
//
// A crash leaves content without a row, and never a row without its content.
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { shareSync } from '../shared-sync.ts';
import { incompleteBody, invalidRequest } from './errors.ts';

export type Received = { readonly content: string; readonly size: number; readonly md5: Buffer };

export type Content = {
  /** Stores what a body holds. A body that fails, or has another length than announced, leaves nothing. */
  readonly receive: (body: unknown, length?: number) => Promise<Received>;
  /** Another name for the same bytes. */
  readonly duplicate: (id: string) => Promise<string>;
  readonly open: (id: string) => Promise<FileHandle>;
  /** What cannot be removed is left to the sweep. */
  readonly remove: (...ids: readonly string[]) => Promise<void>;
  /** The path of a folder of contents, or of those that are being received. */
  readonly folder: (name: string) => string | undefined;
  readonly close: () => void;
};

export const INCOMING = 'incoming';
const FOLDER_DIGITS = 2;
/** The folders that contents are in. */
export const CONTENT_FOLDERS = Array.from({ length: 16 ** FOLDER_DIGITS }, (_, n) =>
  n.toString(16).padStart(FOLDER_DIGITS, '0'),
);

/** The content below a folder, or in one of its own that lasts until `close`. */
export function openContent(folder?: string): Content {
  const isDurable = folder !== undefined;
  let root = folder && join(folder, 'content');
  const removeRoot = (): void => {
    if (root !== undefined) fs.rmSync(root, { recursive: true, force: true });
  };
  const rootFolder = (): string => {
    if (root !== undefined) return root;
    root = fs.mkdtempSync(join(tmpdir(), 'sinete-content-'));
    process.once('exit', removeRoot);
    return root;
  };
  let ready: Promise<string> | undefined;
  /** The root, once all its folders are there for good. Another process may have made them and not synced them yet. */
  const readyRoot = (): Promise<string> => {
    ready ??= makeFolders(rootFolder(), isDurable).catch((error) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  const folderOf = (id: string): string => id.slice(0, FOLDER_DIGITS);
  const pathOf = (id: string): string => join(rootFolder(), folderOf(id), id);

  /** Puts a file in its folder by some means, for good. */
  const place = async (id: string, put: (path: string) => Promise<void>): Promise<void> => {
    await readyRoot();
    await put(pathOf(id));
    if (isDurable) await syncOf(folderOf(id))();
  };
  const syncs = new Map<string, () => Promise<void>>();
  const syncOf = (name: string): (() => Promise<void>) => {
    const known = syncs.get(name) ?? shareSync(() => syncFolder(join(rootFolder(), name)));
    syncs.set(name, known);
    return known;
  };

  /** Writes chunks to a new file, and gives it its place when all are in it. */
  const fill = async (chunks: Chunks): Promise<string> => {
    const content = newId();
    const path = join(await readyRoot(), INCOMING, content);
    const file = await openFile(path, 'wx', 0o600);
    let isOpen = true;
    try {
      let size = 0;
      for await (const chunk of chunks) {
        await writeAll(file, chunk, size);
        size += chunk.length;
      }
      if (isDurable) await syncData(file);
      isOpen = false;
      fs.closeSync(file);
      await place(content, (target) => rename(path, target));
      return content;
    } catch (error) {
      if (isOpen) fs.closeSync(file);
      await unlink(path).catch(() => undefined);
      throw error;
    }
  };

  return {
    receive: async (body, length) => {
      const hash = createHash('md5');
      let size = 0;
      async function* measured(): AsyncGenerator<Uint8Array> {
        for await (const chunk of chunksOf(body)) {
          size += chunk.byteLength;
          hash.update(chunk);
          yield chunk;
        }
        if (length !== undefined && length !== size) throw incompleteBody();
      }
      return { content: await fill(measured()), size, md5: hash.digest() };
    },
    duplicate: async (id) => {
      const content = newId();
      try {
        await place(content, (target) => link(pathOf(id), target));
        return content;
      } catch (error) {
        if (!WITHOUT_LINKS.has(String((error as NodeJS.ErrnoException).code))) throw error;
      }
      const source = await open(pathOf(id), 'r');
      return fill(source.createReadStream());
    },
    open: (id) => open(pathOf(id), 'r'),
    remove: async (...ids) => {
      await Promise.all(ids.map((id) => unlink(pathOf(id)).catch(() => undefined)));
    },
    folder: (name) => root && join(root, name),
    close: () => {
      if (isDurable) return;
      process.off('exit', removeRoot);
      removeRoot();
    },
  };
}

// The file system has no hard links, or the file has as many as it can have.
const WITHOUT_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

// Contents that are received at the same time share the sync of their folder, so a folder gets some in a row.
const IN_A_ROW = 64;
let folderDigits = '';
let left = 0;

function newId(): string {
  const id = randomBytes(16).toString('hex');
  if (left === 0) {
    left = IN_A_ROW;
    folderDigits = id.slice(0, FOLDER_DIGITS);
  }
  left -= 1;
  return folderDigits + id.slice(FOLDER_DIGITS);
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const [openFile, write, syncData, sync] = [
  promisify(fs.open),
  promisify(fs.write),
  promisify(fs.fdatasync),
  promisify(fs.fsync),
];

// Only copied to the memory of the system, which takes less time than to hand it to another thread. A system that is to
// write a large file back first lets its writer wait.
const WRITTEN_AT_ONCE_BYTES = 262_144;

/** Writes all of a chunk: the system may take a part of it at a time. */
async function writeAll(file: number, chunk: Uint8Array, position: number): Promise<void> {
  const isSmall = position + chunk.length <= WRITTEN_AT_ONCE_BYTES;
  for (let at = 0; at < chunk.length; )
    at += isSmall ? fs.writeSync(file, chunk, at) : (await write(file, chunk, at)).bytesWritten;
}

async function makeFolders(root: string, isDurable: boolean): Promise<string> {
  for (const name of [INCOMING, ...CONTENT_FOLDERS])
    fs.mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
  if (isDurable) for (const folder of [root, dirname(root)]) await syncFolder(folder);
  return root;
}

async function syncFolder(path: string): Promise<void> {
  const folder = fs.openSync(path, 'r');
  try {
    await sync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

function chunksOf(body: unknown): Chunks {
  if (body === undefined) return [];
  if (typeof body === 'string') return [Buffer.from(body)];
  if (body instanceof Uint8Array) return [body];
  if (Symbol.asyncIterator in Object(body)) return inBytes(body as AsyncIterable<Uint8Array | string>);
  throw invalidRequest('The embedded store takes bytes, a string or a stream as Body.');
}

async function* inBytes(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
