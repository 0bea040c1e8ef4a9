import { withDeadline } from '../../../../shared/async/deadline.ts';
import { metricsLedger } from '../../operations/domain/metrics.ts';
import { seriesOf } from '../../operations/domain/series.ts';
import { settings } from '../../settings.ts';
import { inputFiles } from '../../storage/domain/stores.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { explainFailure, ListedTooLate } from './explain-failure.ts';
import { assignedProfiles, keyPrefixOf, readFolderRecords, statusOf } from './folder.ts';
import { isIgnored } from './take-file.ts';

const MAX_COUNTED = 50;
// More than are counted: some are ignored.
const PAGE_FILES = 200;

/** A folder that hangs delays the others by no more. */
const LISTED_WITHIN_MS = 5_000;

/** The folders with the profiles that select them now, how their last scans ended, and what is in them. `withinMs` is a parameter for tests. */
export async function listFolders(withinMs = LISTED_WITHIN_MS) {
  const folders = settings['Storage:Inputs'];
  const [assigned, known, counts, looks] = await Promise.all([
    assignedProfiles(),
    readFolderRecords(),
    metricsLedger.read((readNode) => readNode('')),
    Promise.all(folders.map((folder) => look(folder, withinMs))),
  ]);
  return folders.map(({ name, path }, index) => {
    const record = known.get(name);
    const profile = assigned.get(name);
    const lastEnqueueAtMs = record?.lastEnqueueAtMs ?? null;
    const { fileCount = null, failure } = looks[index] ?? {};
    return {
      name,
      path,
      exists: failure === undefined,
      status: statusOf(profile !== undefined, record),
      lastError: failure ?? (profile && record?.lastError) ?? null,
      profileName: profile?.name ?? null,
      instance: record?.instance ?? null,
      lastEnqueueAt: lastEnqueueAtMs === null ? null : new Date(lastEnqueueAtMs).toISOString(),
      processedCount: counts.get(seriesOf('bulk_jobs_enqueued_total', { folder: name })) ?? 0,
      fileCount,
    };
  });
}

type Look = { readonly fileCount?: number; readonly failure?: string };

/** Counts the files that wait in a folder, up to 50. */
async function look(folder: InputFolder, withinMs: number): Promise<Look> {
  try {
    return {
      fileCount: await withDeadline(
        withinMs,
        () => countFiles(folder),
        () => new ListedTooLate(),
      ),
    };
  } catch (error) {
    return { failure: explainFailure(folder, error) };
  }
}

async function countFiles(folder: InputFolder): Promise<number> {
  const store = await inputFiles(folder.share);
  let counted = 0;
  let cursor: string | undefined;
  do {
    const page = await store.list(keyPrefixOf(folder), { cursor, limit: PAGE_FILES });
    counted += page.files.filter(({ key }) => !isIgnored(folder, key)).length;
    if (page.cursor === cursor) break;
    ({ cursor } = page);
  } while (cursor !== undefined && counted < MAX_COUNTED);
  return Math.min(counted, MAX_COUNTED);
}
