// The content of objects: one file for each, which never changes. A name is random, so nothing that a caller sends is in
// a path.
//
//   incoming/<id>   |--written--|--synced--|--renamed to <two digits>/<id>--|--folder synced--|  then the row is committed
//
// A crash leaves content without a row, and never a row without its content.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
  };
  const rootFolder = (): string => {
    if (root !== undefined) return root;
    root = mkdtempSync(join(tmpdir(), 'sinete-content-'));
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
    if (isDurable) await syncFolder(dirname(pathOf(id)));
  };

  /** Runs work on a new file, and gives it its place when the work is done. */
  const fill = async <T>(work: (file: FileHandle) => Promise<T>): Promise<T & { content: string }> => {
    const content = newId();
    const path = join(await readyRoot(), INCOMING, content);
    const file = await open(path, 'wx');
    try {
      const result = await work(file);
      if (isDurable) await file.datasync();
      await file.close();
      await place(content, (target) => rename(path, target));
      return { ...result, content };
    } catch (error) {
      await file.close();
      await unlink(path).catch(() => undefined);
      throw error;
    }
  };

  return {
    receive: (body, length) =>
      fill(async (file) => {
        const hash = createHash('md5');
        let size = 0;
        for await (const chunk of chunksOf(body)) {
          size += chunk.byteLength;
          hash.update(chunk);
          await file.writeFile(chunk);
        }
        if (length !== undefined && length !== size) throw incompleteBody();
        return { size, md5: hash.digest() };
      }),
    duplicate: async (id) => {
      const content = newId();
      try {
        await place(content, (target) => link(pathOf(id), target));
        return content;
      } catch (error) {
        if (!WITHOUT_LINKS.has(String((error as NodeJS.ErrnoException).code))) throw error;
      }
      const copied = await fill(async (file) => {
        const source = await open(pathOf(id), 'r');
        await file.writeFile(source.createReadStream());
        return {};
      });
      return copied.content;
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

const newId = (): string => randomBytes(16).toString('hex');

async function makeFolders(root: string, isDurable: boolean): Promise<string> {
  for (const name of [INCOMING, ...CONTENT_FOLDERS]) mkdirSync(join(root, name), { recursive: true });
  if (isDurable) for (const folder of [root, dirname(root)]) await syncFolder(folder);
  return root;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* chunksOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  if (typeof body === 'string') yield Buffer.from(body);
  else if (body instanceof Uint8Array) yield body;
  else if (Symbol.asyncIterator in Object(body)) {
    for await (const chunk of body as AsyncIterable<Uint8Array | string>)
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } else throw invalidRequest('The embedded store takes bytes, a string or a stream as Body.');
}
