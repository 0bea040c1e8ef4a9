import { type ServiceName, tableName } from '../../settings/names.ts';
import { keyAttributes } from '../item.ts';
import { AlreadyExists, RaceLost } from '../refusals.ts';
import type { Write } from '../write.ts';
import { countTree } from './count-tree.ts';
import { countInMinuteFrom, entriesAfter, entryKey, idsAt } from './entries.ts';

export type Range = {
  /** Only entries at or after this time. */
  readonly fromMs?: number;
  /** Only entries before this time. */
  readonly untilMs?: number;
};

export type Slice = Range & { readonly offset: number; readonly limit: number };

/** For reading a list through. A place is one that the walk before gave, or `placeOf`. */
export type Walk = {
  readonly after?: string | undefined;
  readonly oldestFirst?: boolean;
  readonly limit: number;
};

export type Numbered = { readonly ids: readonly string[]; readonly total: number };

// A transaction waits for one that has the same shard. Four let a list take hundreds of entries a second.
const SHARDS = 4;

// More than any interface of ours gives out at once.
const MAX_PER_PAGE = 1_000;

/**
 * A list of ids, newest first, read by page number or offset and with its total, at a cost that does not
 * grow with the list: one query for each of the four levels of its counts, and one for the entries.
 *
 * Within one minute there are no counts, so the entries of a minute are walked: 10,000 a query, about.
 * DynamoDB takes some 500 such entries a second under one key, so a minute of bulk loading costs three
 * queries more. A million entries of the very same minute, loaded over days, would cost a hundred.
 *
 * Entries go in and out with the change that causes it. A change of an entry's time is both.
 * @example const all = numberedList({ service: 'batch', name: 'jobs' });
 *          await jobs.create(job, { also: all.adding(job.id, job.createdAtMs) });
 *          const { ids, total } = await all.page({ page: 5_000, pageSize: 50 });
 */
export function numberedList({ service, name }: { readonly service: ServiceName; readonly name: string }) {
  const pk = `LIST#${name}`;
  const tree = countTree({ service, prefix: pk, shards: SHARDS });
  const keyOf = (iso: string, id: string) => keyAttributes({ pk, sk: entryKey(iso, id) });

  /** Refused with AlreadyExists when the list has this entry, so that it is never counted twice. */
  const adding = (id: string, atMs: number): Write[] => {
    const iso = new Date(atMs).toISOString();
    const Put = {
      TableName: tableName(service),
      Item: keyOf(iso, id),
      ConditionExpression: 'attribute_not_exists(pk)',
    };
    const refusal = () => new AlreadyExists(`${id} of ${iso} is in the list ${name} already.`);
    return [{ item: { Put }, refusal }, ...tree.adding(iso, 1)];
  };

  /** Refused with RaceLost when the list has no such entry. */
  const removing = (id: string, atMs: number): Write[] => {
    const iso = new Date(atMs).toISOString();
    const Delete = {
      TableName: tableName(service),
      Key: keyOf(iso, id),
      ConditionExpression: 'attribute_exists(pk)',
    };
    const refusal = () => new RaceLost(`${id} of ${iso} is not in the list ${name}, or no more.`);
    return [{ item: { Delete }, refusal }, ...tree.adding(iso, -1)];
  };

  const slice = async ({ offset, limit, ...range }: Slice): Promise<Numbered> => {
    const counts = tree.reading();
    const atOrAfter = async (ms: number): Promise<number> => {
      const iso = new Date(ms).toISOString();
      return (await counts.newerThanMinute(iso)) + (await countInMinuteFrom({ service, pk }, iso));
    };
    const newer = range.untilMs === undefined ? 0 : await atOrAfter(range.untilMs);
    const all = range.fromMs === undefined ? await counts.total() : await atOrAfter(range.fromMs);
    const total = Math.max(0, all - newer);
    const wanted = Math.min(limit, MAX_PER_PAGE, total - offset);
    const position = wanted > 0 ? await counts.locate(newer + offset) : undefined;
    return { total, ids: position ? await idsAt({ service, pk }, position, wanted) : [] };
  };

  return {
    adding,
    removing,
    /** The ids from an offset on, and how many there are in all. */
    slice,
    /** The next entries after a place, which stays where it is while others come and go. One query. */
    walk: ({ limit, ...from }: Walk) =>
      entriesAfter({ service, pk }, { ...from, limit: Math.min(limit, MAX_PER_PAGE) }),
    placeOf: (id: string, atMs: number): string => entryKey(new Date(atMs).toISOString(), id),
    /** The same by page, the first of which is 1. */
    page: ({ page, pageSize, ...range }: Range & { readonly page: number; readonly pageSize: number }) =>
      slice({ offset: (page - 1) * pageSize, limit: pageSize, ...range }),
  };
}
