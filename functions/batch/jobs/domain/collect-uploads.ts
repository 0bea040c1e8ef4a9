import { type Files, files } from '../../../../shared/files/files.ts';
import { PRESIGNED } from '../../storage/setting.ts';
import { readInputs } from './job/inputs.ts';
import { UPLOADS } from './upload-file.ts';

// An upload that is still on its way is younger. A form takes minutes at most, and a file that came by a link waits for
// its notification no longer.
const KEPT_MS = 86_400_000;

/**
 * Removes the files of uploads that became no job: their function was killed, or they were not announced as they arrived
 * by a link. The input of a job that failed
 * stays, also when the job is deleted: retention removes it. Answers how many were removed.
 */
export async function collectUploads(nowMs: number, hasTime: () => boolean): Promise<number> {
  const store = files('batch');
  let removed = 0;
  for (const folder of [UPLOADS, PRESIGNED]) removed += await collectFrom(store, folder, { nowMs, hasTime });
  return removed;
}

type Collection = { readonly nowMs: number; readonly hasTime: () => boolean };

async function collectFrom(store: Files, folder: string, { nowMs, hasTime }: Collection): Promise<number> {
  let removed = 0;
  let cursor: string | undefined;
  do {
    const page = await store.list(`${folder}/`, { cursor });
    const old = page.files.filter(({ modifiedAtMs }) => modifiedAtMs < nowMs - KEPT_MS);
    const keys = old.map(({ key }) => key);
    const known = await readInputs(null, keys);
    for (const key of keys.filter((each) => !known.has(each))) {
      await store.remove(key);
      removed += 1;
    }
    cursor = page.cursor;
  } while (cursor && hasTime());
  return removed;
}
