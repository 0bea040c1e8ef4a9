import { collection } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';

/** The places in their lists of the folders whose sweep ran out of time, by folder. */
export type FolderPlaces = Map<string, string>;

const records = collection<{ readonly places: Readonly<Record<string, string>> }, 'sweep'>({
  service: 'batch',
  name: 'places of signer folders',
  id: () => 'sweep',
  key: () => ({ pk: 'SIGNER', sk: 'PLACES' }),
});

// They are one item. A folder whose place is not kept begins anew.
const MAX_PLACE_CHARACTERS = 1_000;
const MAX_PLACES = 100;

/** The places that the last sweep left. */
export const readPlaces = async (): Promise<FolderPlaces> =>
  new Map(Object.entries((await records.get('sweep'))?.places ?? {}));

/** Keeps the places of folders that are bound, where they are others than before. */
export function keepingPlaces(
  places: FolderPlaces,
  before: FolderPlaces,
  bound: ReadonlySet<string>,
): Write[] {
  const kept = [...places]
    .filter(([folderId, place]) => bound.has(folderId) && place.length <= MAX_PLACE_CHARACTERS)
    .slice(-MAX_PLACES);
  const isSame = kept.length === before.size && kept.every(([id, place]) => before.get(id) === place);
  return isSame ? [] : [records.putting({ places: Object.fromEntries(kept) })];
}
