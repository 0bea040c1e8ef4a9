// A process that ends at once leaves content without a row. What is younger than a day may belong to a write that is
// under way in another process.
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database.ts';
import type { Catalog } from './catalog.ts';
import { CONTENT_FOLDERS, type Content, INCOMING } from './content.ts';

const KEPT_MS = 86_400_000;
// Others have their turn after so many.
const LOOKED_AT_ONCE = 100;

type Store = {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly content: Content;
  readonly now: () => number;
};

export function createGarbage({ database, catalog, content, now }: Store) {
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
