import type { ListedEntry } from './entries.ts';
import type { Numbered, NumberedEntries, NumberedList, Range } from './numbered-list.ts';

export type Search = Range & {
  readonly page: number;
  readonly pageSize: number;
  readonly oldestFirst?: boolean;
  /** More entries in the range are refused with TooManyEntries. Each thousand is some 2 MB to read. */
  readonly maxEntries: number;
};

export type Searched = {
  readonly list: Pick<NumberedList, 'slice' | 'walk' | 'placeOf'>;
  /** Whether an entry matches; undefined where its facts do not tell. */
  readonly entryMatches: (entry: ListedEntry) => boolean | undefined;
  /** Of these, the ids of the items that match. */
  readonly readMatching: (
    ids: readonly string[],
    entries: readonly ListedEntry[],
  ) => Promise<readonly string[]>;
};

/** The range has too many entries to be searched. */
export class TooManyEntries extends Error {
  override readonly name = 'TooManyEntries';
}

const WALKED_AT_ONCE = 1_000;

/**
 * A page of the entries that match, in their order, and how many match. Every entry of the range is read, and only the
 * items whose entries do not tell.
 * @example await searchList({ list, entryMatches: (entry) => entryContainsText(text, entry), readMatching }, search)
 */
export async function searchList(searched: Searched, search: Search): Promise<Numbered> {
  const { entries, total } = await searchEntries(searched, search);
  return { ids: entries.map(({ id }) => id), total };
}

/** The same with the entries. */
export async function searchEntries(
  { list, entryMatches, readMatching }: Searched,
  { page, pageSize, maxEntries, ...range }: Search,
): Promise<NumberedEntries> {
  const { total: inRange } = await list.slice({ offset: 0, limit: 0, ...range });
  if (inRange > maxEntries) throw new TooManyEntries(`${inRange} entries are more than ${maxEntries}.`);
  const first = (page - 1) * pageSize;
  const matching: ListedEntry[] = [];
  let total = 0;
  for await (const entries of walkRange(list, range)) {
    const judged = entries.map((entry) => ({ entry, isMatch: entryMatches(entry) }));
    const unclear = judged.filter(({ isMatch }) => isMatch === undefined).map(({ entry }) => entry);
    const ids = unclear.map(({ id }) => id);
    const found = new Set(unclear.length > 0 ? await readMatching(ids, unclear) : []);
    for (const { entry, isMatch } of judged) {
      if (!(isMatch ?? found.has(entry.id))) continue;
      if (total >= first && matching.length < pageSize) matching.push(entry);
      total += 1;
    }
  }
  return { entries: matching, total };
}

type WalkedRange = Range & { readonly oldestFirst?: boolean };

/**
 * The entries of a range, newest first unless `oldestFirst` says otherwise. One that is added meanwhile may not be seen.
 * @example for await (const entries of walkRange(list, { fromMs, untilMs })) await readAll(entries);
 */
export async function* walkRange(
  list: Searched['list'],
  { fromMs, untilMs, oldestFirst = false }: WalkedRange,
): AsyncGenerator<readonly ListedEntry[]> {
  // No id is empty, so these places are before every entry of their time.
  const from = fromMs === undefined ? undefined : list.placeOf('', fromMs);
  const until = untilMs === undefined ? undefined : list.placeOf('', untilMs);
  const isInRange = ({ place }: ListedEntry): boolean =>
    (from === undefined || place > from) && (until === undefined || place < until);
  let after = oldestFirst ? from : until;
  for (;;) {
    const entries = await list.walk({ after, oldestFirst, limit: WALKED_AT_ONCE });
    const inRange = entries.filter(isInRange);
    yield inRange;
    if (inRange.length < WALKED_AT_ONCE) return;
    after = entries.at(-1)?.place;
  }
}
