import { type ServiceName, tableName } from '../../settings/names.ts';
import { getBatch } from '../collection.ts';
import { ledger } from '../ledger/ledger.ts';
import { shardOf } from '../shards.ts';
import type { Write } from '../write.ts';
import { changingEntry, type Entry, viewKey } from './changes.ts';
import {
  ALL,
  countsByHour,
  countsOfAmount,
  countsOfList,
  countsOfViews,
  NEAR,
  type Position,
} from './counts.ts';
import { entriesOf, entryKey, FIRST, LAST, type ListedEntry, readEntry } from './entries.ts';

export type { Entry } from './changes.ts';

export type ListOptions = {
  readonly service: ServiceName;
  readonly name: string;
  /** The views that are read, merged. All entries when left out. */
  readonly views?: readonly string[] | undefined;
  /** The ledger of its counts, where other lists have theirs too. One of its own when left out. */
  readonly ledger?: SharedLedger | undefined;
  /** Keys for the entries of a view. */
  readonly shards?: number | undefined;
  /** As of a ledger. */
  readonly random?: () => number;
};

/** A ledger of several lists. */
export type SharedLedger = { readonly name: string; readonly shards: number };

export type Range = {
  /** Only entries at or after this time. */
  readonly fromMs?: number | undefined;
  /** Only entries before this time. */
  readonly untilMs?: number | undefined;
};

export type Slice = Range & {
  readonly offset: number;
  readonly limit: number;
  readonly oldestFirst?: boolean;
};

type PageRequest = { readonly page: number; readonly pageSize: number };

/** For reading a whole list. `after` is a place that an earlier walk or `placeOf` returned. */
export type Walk = {
  readonly after?: string | undefined;
  readonly oldestFirst?: boolean;
  readonly limit: number;
};

export type Numbered = { readonly ids: readonly string[]; readonly total: number };

export type NumberedEntries = { readonly entries: readonly ListedEntry[]; readonly total: number };

type Found = { readonly total: number; readonly position?: Position & { readonly count: number } };

export type NumberedList = ReturnType<typeof numberedList>;

// Entries and records are spread over keys by their id. A key takes 1,000 units a second, and the change of a status is
// five of them: a list takes some 200 changes a second in each shard.
const SHARDS = 2;

// More than any API of Sinete returns at once.
const MAX_PER_PAGE = 1_000;

/**
 * A list of ids, newest first, read by page number or offset, with its total. An entry is in the view of all and in
 * views of its own, for example one for each status; one tree of counts serves them all. No two changes of different
 * entries write the same item, so they never conflict.
 *
 * The cost of a read does not grow with the list, however its entries are spread: a page near either end is two queries for
 * the counts and two for the entries of each view; any other page is one to three requests more. Only entries of one and
 * the same millisecond are walked.
 *
 * Entries change in the commit of the change that causes it.
 * @example const all = numberedList({ service: 'batch', name: 'jobs' });
 *          const entryOf = ({ id, createdAtMs, state }: Job) => ({ id, atMs: createdAtMs, views: [state] });
 *          await jobs.change(job, { state: 'Done' }, { also: all.changing(entryOf(job), entryOf(done)) });
 *          const { ids, total } = await all.page({ page: 5_000, pageSize: 50 });
 */
export function numberedList({ service, name, views = [ALL], shards = SHARDS, ...options }: ListOptions) {
  const { ledger: shared = { name, shards }, random } = options;
  const counts = ledger({
    service,
    ...shared,
    // The list by whose name the ledger is called is no part: its top node is read with the records.
    part: shared.name === name ? undefined : name,
    countsOf: countsOfAmount,
    ...(random && { random }),
  });
  const read = () =>
    views.flatMap((view) =>
      Array.from({ length: shards }, (_, shard) => ({
        table: tableName(service),
        pk: viewKey(name, view, shard),
      })),
    );

  /**
   * The writes for an entry that is added (no before), changed, or removed (no after): none when nothing changes.
   * Refused with AlreadyExists or RaceLost when the list has such an entry, or none, so that it is never counted twice.
   */
  const changing = (before: Entry | undefined, after: Entry | undefined): Write[] => {
    const { id = '', shardBy = id } = after ?? before ?? {};
    const shard = shardOf(shardBy, shards);
    const { writes, amounts } = changingEntry({ service, name, shard }, before, after);
    if (Object.keys(amounts).length === 0) return writes;
    return [...writes, counts.adding(amounts, counts.shardOf(shardBy))];
  };

  /** The number of entries in a range, and where the slice begins. */
  const find = ({ offset, limit, fromMs, untilMs, oldestFirst }: Slice): Promise<Found> =>
    counts.read(async (readNode) => {
      const { total, locate, atOrAfter } = countsOfViews(readNode, views);
      const [from, until] = [isoOf(fromMs), isoOf(untilMs)];
      const [newer, all] = await Promise.all([
        until === undefined ? 0 : atOrAfter(until),
        from === undefined ? total() : atOrAfter(from),
      ]);
      const inRange = Math.max(0, all - newer);
      if (limit <= 0 || offset < NEAR || offset >= inRange) return { total: inRange };
      const count = Math.min(limit, inRange - offset);
      const first = oldestFirst ? inRange - offset - count : offset;
      const position = await locate(newer + first);
      return { total: inRange, ...(position && { position: { ...position, count } }) };
    });

  const sliceEntries = async (request: Slice): Promise<NumberedEntries> => {
    const { offset, oldestFirst = false, fromMs, untilMs } = request;
    const limit = Math.min(request.limit, MAX_PER_PAGE);
    const span = { from: isoOf(fromMs) ?? FIRST, before: isoOf(untilMs) ?? LAST };
    const isNearEnd = offset < NEAR && limit > 0;
    const [{ total, position }, nearEnd] = await Promise.all([
      find({ ...request, limit }),
      isNearEnd ? entriesOf(read(), { ...span, oldestFirst }, { skip: offset, count: limit }) : [],
    ]);
    const far = position && (await entriesOf(read(), { ...span, before: position.before }, position));
    const entries = (oldestFirst ? far?.toReversed() : far) ?? nearEnd;
    return {
      entries,
      // An entry that was added after the counts were read is in the total as well.
      total: entries.length > 0 ? Math.max(total, offset + entries.length) : total,
    };
  };

  const slice = async (request: Slice): Promise<Numbered> => {
    const { entries, total } = await sliceEntries(request);
    return { ids: entries.map(({ id }) => id), total };
  };

  /** The things that the list has itself, in the order of the entries. One that was removed meanwhile is left out. */
  const itemsOf = async <T extends object>(entries: readonly ListedEntry[]): Promise<T[]> => {
    const elsewhere = entries.filter(({ item }) => !item);
    const keys = elsewhere.map(({ shard, place }) => ({ pk: viewKey(name, ALL, shard), sk: place }));
    const found = (await getBatch(tableName(service), keys)).map(readEntry);
    const byPlace = new Map([...entries, ...found].map(({ place, item }) => [place, item]));
    return entries.flatMap(({ place }) => byPlace.get(place) ?? []) as T[];
  };

  return {
    changing,
    /** The entries from an offset on, and the total. */
    sliceEntries,
    itemsOf,
    /** The ids from an offset on, and the total. */
    slice,
    /** The ids of a page, counted from 1, and the total. */
    page: ({ page, pageSize, ...range }: Omit<Slice, 'offset' | 'limit'> & PageRequest) =>
      slice({ offset: (page - 1) * pageSize, limit: pageSize, ...range }),
    /** The next entries after a place, in one query for each view and shard. A place stays valid while entries come and go. */
    walk: ({ limit, ...from }: Walk) =>
      entriesOf(read(), { from: FIRST, before: LAST, ...from }, { count: Math.min(limit, MAX_PER_PAGE) }),
    /** The numbers of entries in every view and of every tally, at one moment, in a query for each shard. */
    count: () => counts.read(countsOfList),
    /** The numbers of entries by hour in UTC ('2026-11-14T02') and view, of all months that the range touches. */
    countByHour: (fromMs: number, untilMs: number) =>
      counts.read((readNode) => countsByHour(readNode, monthsOf(fromMs, untilMs))),
    placeOf: (id: string, atMs: number): string => entryKey(new Date(atMs).toISOString(), id),
    /** Adds the records of its ledger to the counts. */
    fold: counts.fold,
  };
}

/** The months that a range touches. @example monthsOf(fromMs, untilMs) // ['2026-10', '2026-11'] */
function monthsOf(fromMs: number, untilMs: number): string[] {
  const last = new Date(untilMs).toISOString().slice(0, MONTH_LENGTH);
  const months: string[] = [];
  for (const date = new Date(fromMs); ; date.setUTCMonth(date.getUTCMonth() + 1, 1)) {
    const month = date.toISOString().slice(0, MONTH_LENGTH);
    if (month > last) return months;
    months.push(month);
  }
}

const MONTH_LENGTH = '2026-11'.length;

const isoOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();
