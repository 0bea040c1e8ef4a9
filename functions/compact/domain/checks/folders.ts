import { type Files, files } from '../../../../shared/files/files.ts';
import type { Check } from '../../../batch/operations/domain/readiness.ts';
import { workFiles } from '../../../batch/storage/domain/stores.ts';

// Watchers ignore names that begin with a dot. One name for all probes: a function that is killed leaves one object at
// most.
const PROBE = '.readiness-probe';
const PROBED = Buffer.from('A probe of readiness. It may be deleted.\n');

const FOLDERS: readonly (readonly [folder: string, store: () => Promise<Files>])[] = [
  ['input', async () => files('batch')],
  ['processing', workFiles],
  ['output', workFiles],
  ['error', workFiles],
];

/** Whether a file can be written to and deleted from each folder. */
export const probeFolders = (): Promise<readonly Check[]> =>
  Promise.all(FOLDERS.map(([folder, store]) => probe(folder, store)));

async function probe(folder: string, store: () => Promise<Files>): Promise<Check> {
  const name = `folder-write:${folder}`;
  const key = `${folder}/${PROBE}`;
  try {
    const folderStore = await store();
    await folderStore.put(key, PROBED, { contentType: 'text/plain' });
    await folderStore.remove(key);
    return { name, ok: true, detail: 'A file can be written and deleted.' };
  } catch (error) {
    return { name, ok: false, detail: `A file cannot be written and deleted: ${(error as Error).name}.` };
  }
}
