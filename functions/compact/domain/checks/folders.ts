import { type Files, files } from '../../../../shared/files/files.ts';
import type { Check } from '../../../batch/operations/domain/readiness.ts';
import { workFiles } from '../../../batch/storage/domain/stores.ts';

// Watchers ignore names that begin with a dot. One name for all probes: a function that is killed leaves one object at
// most.
const PROBE = '.readiness-probe';
const PROBED = Buffer.from('A probe of readiness. It may be deleted.\n');

const WORK_FOLDERS = ['processing', 'output', 'error'];

// A file in input/ wakes the worker that takes arrivals. So a write there that succeeded counts for a minute; one that
// failed is tried again by the next check.
const INPUT_HOLDS_MS = 60_000;

let inputProbed: { readonly check: Check; readonly endedAtMs: number } | undefined;

/** Whether a file can be written to and deleted from each folder. That of input/ may be a minute old. */
export const probeFolders = (now: () => number): Promise<readonly Check[]> =>
  Promise.all([probeInput(now), ...WORK_FOLDERS.map((folder) => probe(folder, workFiles))]);

async function probeInput(now: () => number): Promise<Check> {
  const ageMs = inputProbed ? now() - inputProbed.endedAtMs : INPUT_HOLDS_MS;
  if (inputProbed && ageMs >= 0 && ageMs < INPUT_HOLDS_MS) return inputProbed.check;
  const check = await probe('input', async () => files('batch'));
  inputProbed = check.ok ? { check, endedAtMs: now() } : undefined;
  return check;
}

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
