import { type Files, files } from '../../../../../shared/files/files.ts';
import type { ListPage } from '../../../../../shared/files/get.ts';
import { settings } from '../../../settings.ts';
import { workFiles } from '../../../storage/domain/stores.ts';
import type { ListedTo } from '../backup.ts';
import { BACKUPS_FOLDER } from '../target.ts';
import { openPart, PART_BYTES, storePart } from './part.ts';
import type { Run } from './run.ts';

/** One line of the list of files: they are not in the backup themselves. */
export type FileLine = {
  readonly store: ListedTo['store'];
  readonly key: string;
  readonly length: number;
  readonly etag: string;
};

export const NOT_LISTED: ListedTo = { store: 'bucket', cursor: null };

/** Lists the files of the bucket, and of the work share where there is one. True when all are listed. */
export async function listFiles(run: Run): Promise<boolean> {
  let place: ListedTo | undefined = run.record().listedTo;
  let part = openPart();
  let fileBytes = 0;
  const store = async (at: ListedTo | undefined): Promise<void> => {
    const [full, bytes] = [part, fileBytes];
    part = openPart();
    fileBytes = 0;
    const progress = {
      ...(at && { listedTo: at }),
      ...(!at && { phase: 'Finishing' as const }),
    };
    if (full.size.lines === 0) return run.save(progress);
    await storePart(run, 'files', full, (record) => ({
      ...progress,
      files: record.files + full.size.lines,
      fileBytes: record.fileBytes + bytes,
    }));
  };
  do {
    const listed: ListPage = await (await storeOf(place)).list('', { cursor: place.cursor ?? undefined });
    const { store: from } = place;
    const kept = listed.files.filter(({ key }) => !key.startsWith(BACKUPS_FOLDER));
    part.add(
      kept.map(
        ({ key, length, etag }) =>
          `${JSON.stringify({ store: from, key, length, etag } satisfies FileLine)}\n`,
      ),
    );
    for (const { length } of kept) fileBytes += length;
    place = nextPlace(place, listed.cursor);
    if (place && part.size.bytes >= PART_BYTES) await store(place);
  } while (place && run.hasTime());
  await store(place);
  return place === undefined;
}

const storeOf = ({ store }: ListedTo): Promise<Files> | Files =>
  store === 'work' ? workFiles() : files('batch');

function nextPlace({ store }: ListedTo, cursor: string | undefined): ListedTo | undefined {
  if (cursor !== undefined) return { store, cursor };
  const hasWork = store === 'bucket' && settings['Storage:Work'] !== undefined;
  return hasWork ? { store: 'work', cursor: null } : undefined;
}
