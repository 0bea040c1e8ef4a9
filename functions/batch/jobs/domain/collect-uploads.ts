import { files } from '../../../../shared/files/files.ts';
import type { ListPage } from '../../../../shared/files/get.ts';
import { jobs } from './job/job.ts';
import { heldPaths } from './job/names.ts';
import { pathOfUpload, UPLOADS } from './upload-file.ts';

type FoundFile = ListPage['files'][number];

// An upload that is still on its way is younger. A form takes minutes at most.
const KEPT_MS = 86_400_000;

/**
 * Removes the files of uploads that became no job: their function was killed, or their job is deleted. A file that an
 * active job has, such as the retry of a deleted one, stays. Answers how many were removed.
 */
export async function collectUploads(nowMs: number, hasTime: () => boolean): Promise<number> {
  const store = files('batch');
  let removed = 0;
  let cursor: string | undefined;
  do {
    const page = await store.list(`${UPLOADS}/`, cursor);
    const old = page.files.filter(({ modifiedAtMs }) => modifiedAtMs < nowMs - KEPT_MS);
    for (const { key } of await withoutJob(old)) {
      await store.remove(key);
      removed += 1;
    }
    cursor = page.cursor;
  } while (cursor && hasTime());
  return removed;
}

/** The files under the id of a job that does not exist, at a path that no active job has. */
async function withoutJob(found: readonly FoundFile[]): Promise<FoundFile[]> {
  const known = new Set((await jobs.getMany(found.map(jobIdOf))).map(({ id }) => id));
  const orphans = found.filter((file) => !known.has(jobIdOf(file)));
  const held = await heldPaths(orphans.map(originalPathOf));
  return orphans.filter((file) => !held.has(originalPathOf(file)));
}

const jobIdOf = ({ key }: FoundFile): string => key.split('/').at(-2) ?? '';
const originalPathOf = ({ key }: FoundFile): string => pathOfUpload(key.split('/').at(-1) ?? '');
