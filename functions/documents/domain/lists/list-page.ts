import type { NumberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { errors } from '../../errors.ts';
import type { SearchPlaces } from './search-places.ts';

export type PageRequest = {
  readonly limit: number;
  /** The page, from 0. */
  readonly offset: number;
  readonly order: 'Asc' | 'Desc';
  readonly cursor?: string | undefined;
};

export type ListPage<T> = {
  readonly items: T[];
  readonly totalCount: number;
  readonly nextCursor: string | null;
};

type Item = { readonly id: string; readonly createdAtMs: number };
type Entry = Awaited<ReturnType<NumberedList['walk']>>[number];
type Source<T> = {
  readonly list: Pick<NumberedList, 'slice' | 'walk' | 'placeOf'>;
  /** Reads those that exist, in the order of the ids. */
  readonly read: (ids: readonly string[]) => Promise<T[]>;
  /** Keeps only the items that match. */
  readonly matches?: ((item: T) => boolean) | undefined;
  /** Whether the item of an entry matches; undefined where its facts do not tell. */
  readonly entryMatches?: ((entry: Entry) => boolean | undefined) | undefined;
  /** Where pages of this search begin, for those who page by number. */
  readonly places?: SearchPlaces | undefined;
};

// A search that fills its page early reads about 1 MB, in four requests to the store. For a page that is not full it goes
// on by facts alone; a key of the store takes 12 MB of reads a second.
const MAX_COUNTED = 1_000;
const MAX_SEARCHED = 5_000;
const MAX_ITEMS_READ = 1_000;
const SEARCHED_AT_ONCE = 250;
const WALKED_AT_ONCE = 100;

/**
 * A page of a numbered list. A page by number costs the same anywhere in the list. With `matches` the list is walked,
 * until the page is full, at most 5,000 entries a call, and `nextCursor` continues from there. Items are read where the
 * facts of their entries do not tell whether they match, at most 1,000, and for the page. Once the page is full, the walk
 * goes on only to count, up to 1,000 entries, and ends where items would have to be read for it: `totalCount` of a search is
 * the matches that were seen.
 */
export async function listPage<T extends Item>(
  source: Source<T>,
  request: PageRequest,
): Promise<ListPage<T>> {
  const { matches, places } = source;
  if (!matches && request.cursor === undefined) return readNumberedPage(source, request);
  if (!matches || !places || request.cursor !== undefined) return (await walkPage(source, request)).page;
  const { offset } = request;
  const cursor = offset > 0 ? await places.find(offset) : undefined;
  const { page, isReached } = await walkPage(source, { ...request, cursor });
  // A page that was not reached goes on from here when it is asked for again.
  if (page.nextCursor !== null) await places.keep(isReached ? offset + 1 : offset, page.nextCursor);
  return page;
}

async function readNumberedPage<T extends Item>(
  { list, read }: Source<T>,
  request: PageRequest,
): Promise<ListPage<T>> {
  const { limit, offset, order } = request;
  const passed = offset * limit;
  const { ids, total } = await list.slice({ offset: passed, limit, oldestFirst: order === 'Asc' });
  const items = await read(ids);
  const last = items.at(-1);
  const more = last !== undefined && passed + limit < total;
  return {
    items,
    totalCount: total,
    nextCursor: more
      ? cursorOf({ skip: 0, counted: 0, place: list.placeOf(last.id, last.createdAtMs) })
      : null,
  };
}

type Walked<T> = {
  readonly page: ListPage<T>;
  /** Whether all matches before the page were passed. */
  readonly isReached: boolean;
};

async function walkPage<T extends Item>(source: Source<T>, request: PageRequest): Promise<Walked<T>> {
  const { list, matches } = source;
  const start = request.cursor === undefined ? undefined : readCursor(request.cursor);
  const known = new Map<string, T>();
  const pageIds: string[] = [];
  const walkedAtOnce = matches ? SEARCHED_AT_ONCE : Math.max(WALKED_AT_ONCE, request.limit + 1);
  let skip = start?.skip ?? request.offset * request.limit;
  let after = start?.place;
  let counted = start?.counted ?? 0;
  let nextCursor: string | null = null;
  let isEnd = false;
  let itemsRead = 0;
  const mayWalk = (looked: number): boolean =>
    nextCursor === null ? looked < MAX_SEARCHED && itemsRead < MAX_ITEMS_READ : looked < MAX_COUNTED;
  for (let looked = 0; !isEnd && mayWalk(looked); looked += walkedAtOnce) {
    const entries = await list.walk({ after, limit: walkedAtOnce, oldestFirst: request.order === 'Asc' });
    const judged = judgeEntries(source, entries);
    if (nextCursor !== null && judged.unclear.length > 0) break;
    const matching = await matchingIds(source, judged, known);
    itemsRead += judged.unclear.length;
    for (const { id, place } of entries) {
      const isMatch = matching.has(id);
      // The page is full and there is one more: the next page begins with it. From here on matches are only counted.
      if (isMatch && nextCursor === null && pageIds.length === request.limit)
        nextCursor = cursorOf({ skip: 0, counted, place: after ?? '' });
      after = place;
      if (!isMatch) continue;
      counted += 1;
      if (nextCursor !== null) continue;
      if (skip === 0) pageIds.push(id);
      else skip -= 1;
    }
    isEnd = entries.length < walkedAtOnce || (!matches && nextCursor !== null);
  }
  if (!isEnd) nextCursor ??= cursorOf({ skip, counted, place: after ?? '' });
  const page = {
    items: await readRest(source, pageIds, known),
    totalCount: matches ? counted : (await list.slice({ offset: 0, limit: 0 })).total,
    nextCursor,
  };
  return { page, isReached: skip === 0 };
}

/** The entries that match by their facts, and those whose facts do not tell. */
type Judged = { readonly matching: readonly string[]; readonly unclear: readonly string[] };

function judgeEntries<T>(
  { matches, entryMatches = () => undefined }: Source<T>,
  entries: readonly Entry[],
): Judged {
  if (!matches) return { matching: entries.map(({ id }) => id), unclear: [] };
  const judged = entries.map((entry) => ({ id: entry.id, isMatch: entryMatches(entry) }));
  const idsOf = (isMatch: boolean | undefined) =>
    judged.filter((each) => each.isMatch === isMatch).map(({ id }) => id);
  return { matching: idsOf(true), unclear: idsOf(undefined) };
}

/** The ids of the entries that match. The items that had to be read for it are added to `known`. */
async function matchingIds<T extends Item>(
  { read, matches }: Source<T>,
  { matching, unclear }: Judged,
  known: Map<string, T>,
): Promise<ReadonlySet<string>> {
  const found = unclear.length > 0 && matches ? (await read(unclear)).filter(matches) : [];
  for (const item of found) known.set(item.id, item);
  return new Set([...matching, ...found.map(({ id }) => id)]);
}

/** The items of a page. One that was deleted since its entry was read is left out. */
async function readRest<T extends Item>(
  { read }: Source<T>,
  ids: readonly string[],
  known: Map<string, T>,
): Promise<T[]> {
  const unread = ids.filter((id) => !known.has(id));
  for (const item of unread.length > 0 ? await read(unread) : []) known.set(item.id, item);
  return ids.map((id) => known.get(id)).filter((item) => item !== undefined);
}

type Cursor = {
  /** The matches still to skip before the requested page begins. */
  readonly skip: number;
  /** The matches of a search up to the place. */
  readonly counted: number;
  /** The last place read. */
  readonly place: string;
};

const CURSOR = /^(\d{1,9})(?:\+(\d{1,9}))?@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{1,64})$/;

const cursorOf = ({ skip, counted, place }: Cursor): string =>
  Buffer.from(`${skip}+${counted}@${place}`).toString('base64url');

function readCursor(cursor: string): Cursor {
  const [, skip, counted = '0', place] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (skip !== undefined && place !== undefined)
    return { skip: Number(skip), counted: Number(counted), place };
  const reason = 'is not a cursor of this list';
  throw errors.refuse('InvalidRequest', { field: 'cursor', reason }, { status: 400 });
}
