// The S3 commands that Sinete uses, on files and SQLite in the process that calls them.

import { readdir, stat, unlink } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database.ts';
import type { Request } from '../request.ts';
import { createBuckets } from './buckets.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { CONTENT_FOLDERS, type Content, INCOMING, openContent } from './content.ts';
import { notImplemented } from './errors.ts';
import { createLinks, type Links } from './links.ts';
import { createMultipart } from './multipart.ts';
import { createNotify, type Enqueue } from './notifications.ts';
import { createReads } from './reads.ts';
import { createHandle } from './serve.ts';
import { createWrites } from './writes.ts';

export type ObjectStoreOptions = {
  /** The folder of the contents. Without one they are in a temporary folder until `close`. */
  readonly folder?: string | undefined;
  readonly now: () => number;
  readonly enqueue: Enqueue;
};

export type ObjectStore = {
  /** Runs a command by its name. @example await run('HeadObject', { Bucket, Key }) */
  readonly run: (command: string, request: Request) => Promise<object>;
  readonly links: Links;
  /**
   * Answers a request to one of the links. Gives the failure that it has answered by 500, for a log.
   * @example createServer(async (request, response) => report(await objects.handle(request, response)))
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<Error | undefined>;
  /** Removes the remains of crashes, in steps, and tells the number of files. For a quiet hour. */
  readonly collectGarbage: () => Promise<number>;
  readonly close: () => void;
};

/** The objects of a database, with their contents in a folder. */
export function createObjectStore(
  database: Database,
  { folder, now, enqueue }: ObjectStoreOptions,
): ObjectStore {
  const catalog = createCatalog(database);
  const content = openContent(folder);
  const notify = createNotify(database, enqueue, now);
  const writing = { database, catalog, content, notify, now };
  const links = createLinks(catalog, now);
  const garbage = createGarbage(writing);
  const commands: Record<string, (request: Request) => Promise<object>> = {
    ...createBuckets(database, catalog, now),
    ...createReads(catalog, content),
    ...createWrites(writing),
    ...createMultipart(writing),
  };
  const run = async (command: string, request: Request): Promise<object> => {
    const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (!known) throw notImplemented(`The embedded store does not implement ${command}.`);
    return database.answer(() => known(request));
  };
  // Nobody waits for it: what is left is for the next time.
  void garbage.emptyIncoming();
  return {
    run,
    links,
    handle: createHandle({ catalog, links, run }),
    collectGarbage: garbage.collect,
    close: content.close,
  };
}

// A process that ends at once leaves content without a row. What is younger than a day may belong to a write that is
// under way in another process.
const KEPT_MS = 86_400_000;
// Others have their turn after so many.
const LOOKED_AT_ONCE = 100;

type Store = {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly content: Content;
  readonly now: () => number;
};

function createGarbage({ database, catalog, content, now }: Store) {
  /** Removes the files of a folder that are old and that nothing uses, and tells their number. */
  async function sweep(name: string, isUsed: (id: string) => boolean): Promise<number> {
    const folder = content.folder(name);
    const ids = folder === undefined ? [] : await readdir(folder).catch(() => []);
    let removed = 0;
    for (const [index, id] of ids.entries()) {
      if (index % LOOKED_AT_ONCE === 0) await setImmediate();
      if (folder !== undefined && !isUsed(id) && (await removeOld(join(folder, id)))) removed += 1;
    }
    return removed;
  }

  async function removeOld(path: string): Promise<boolean> {
    try {
      // A new link to old content changes this time, and not that of the last write.
      if ((await stat(path)).ctimeMs > now() - KEPT_MS) return false;
      await unlink(path);
      return true;
    } catch {
      // Another process was first. What cannot be removed is left to the next sweep.
      return false;
    }
  }

  /** As the buckets' rules in infra/*.yml do: an upload that is not complete after a day is given up. */
  async function giveUpUploads(): Promise<void> {
    for (;;) {
      const old = catalog.uploadsBefore(now() - KEPT_MS, LOOKED_AT_ONCE);
      if (old.length === 0) return;
      await content.remove(...(await database.commit(() => old.flatMap(catalog.removeUpload))));
    }
  }

  const emptyIncoming = (): Promise<number> => sweep(INCOMING, () => false);

  return {
    emptyIncoming,
    /** Removes the remains of crashes and of uploads that nobody ended, in steps, and tells the number of files. */
    collect: async (): Promise<number> => {
      await giveUpUploads();
      let removed = await emptyIncoming();
      for (const name of CONTENT_FOLDERS) removed += await sweep(name, catalog.isUsed);
      return removed;
    },
  };
}
