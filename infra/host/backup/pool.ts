import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { copyFile } from './copy.ts';
import {
  BACKUP_NAME,
  type Content,
  completeBackups,
  contentPath,
  MANIFEST,
  readContentList,
} from './layout.ts';

const COPIES_AT_ONCE = 8;

export type Pool = Awaited<ReturnType<typeof openPool>>;

/** The content of a folder of backups. */
export async function openPool({ from, to }: { readonly from: string; readonly to: string }) {
  const folder = join(to, 'content');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const newest = completeBackups(to).at(-1);
  const earlier = new Map(newest ? readContentList(join(to, newest)).map((each) => [each.id, each]) : []);
  const known = new Map<string, Content>();
  let [count, bytes] = [0, 0];

  const copy = async (id: string): Promise<boolean> => {
    try {
      const copied = await copyFile(contentPath(from, id), contentPath(folder, id));
      known.set(id, { id, ...copied });
      count += 1;
      bytes += copied.bytes;
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return false;
    }
  };

  return {
    from,
    folder,
    /** Copies what is not there. Gives the ids whose content is gone. */
    async add(ids: Iterable<string>): Promise<string[]> {
      const gone: string[] = [];
      await forEachConcurrently(COPIES_AT_ONCE, new Set(ids), async (id) => {
        if (known.has(id)) return;
        const before = earlier.get(id);
        const there = before && (await stat(contentPath(folder, id)).catch(() => undefined));
        if (before && there?.size === before.bytes) known.set(id, before);
        else if (!(await copy(id))) gone.push(id);
      });
      return gone;
    },
    get(id: string): Content {
      const found = known.get(id);
      if (!found) throw new Error(`The content ${id} was not copied.`);
      return found;
    },
    copied: () => ({ count, bytes }),
  };
}

/** Removes what a backup that was killed has left. */
export async function removeUnfinished(to: string): Promise<void> {
  const complete = new Set(completeBackups(to));
  for (const name of await readdir(to))
    if (BACKUP_NAME.test(name.replace(/\.draft$/, '')) && !complete.has(name))
      await rm(join(to, name), { recursive: true, force: true });
}

/** Removes the oldest backups, and the content that none of the others refers to. */
export async function prune(to: string, keep: number): Promise<string[]> {
  const all = completeBackups(to);
  const removed = all.slice(0, Math.max(0, all.length - keep));
  for (const id of removed) {
    // Without its manifest it is no backup, however far the removal comes.
    await rm(join(to, id, MANIFEST));
    await rm(join(to, id), { recursive: true });
  }
  const named = new Set(
    completeBackups(to).flatMap((id) => readContentList(join(to, id)).map((each) => each.id)),
  );
  for (const entry of await readdir(join(to, 'content'), { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !named.has(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
  return removed;
}
