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

/** For reading a whole list. `after` is a place that an earlier walk or `placeOf` returned. */
export type Walk = {
  readonly after?: string | undefined;
  readonly oldestFirst?: boolean;
  readonly limit: number;
};

export type Numbered = { readonly ids: readonly string[]; readonly total: number };

// Transactions on the same shard wait for each other. Four shards let a list take hundreds of entries a second.
const SHARDS = 4;

// More than any API of Sinete returns at once.
const MAX_PER_PAGE = 1_000;

/**
 * A list of ids, newest first, read by page number or offset, with its total. The cost of a read does not grow with the
 * list: one query for each of the four levels of its counts, and one for the entries.
 *
 * Within one minute there are no counts, so the entries of a minute are walked, about 10,000 a query. DynamoDB takes
 * some 500 such entries a second under one key, so a minute of bulk loading costs three queries more. A million entries
 * of the same minute, loaded over days, would cost a hundred.
 *
 * Entries are added and removed in the commit of the change that causes it. A new time for an entry is both.
 * @example const all = numberedList({ service: 'batch', name: 'jobs' });
 *          await jobs.create(job, { also: all.adding(job.id, job.createdAtMs) });
 *          const { ids, total } = await all.page({ page: 5_000, pageSize: 50 });
 */
export function numberedList({ service, name }: { readonly service: ServiceName; readonly name: string }) {
  const pk = `LIST#${name}`;
  const tree = countTree({ service, prefix: pk, shards: SHARDS });
  const keyOf = (iso: string, id: string) => keyAttributes({ pk, sk: entryKey(iso, id) });

  /** Refused with AlreadyExists when the list has this entry, so that an entry is never counted twice. */
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
    const refusal = () => new RaceLost(`${id} of ${iso} is not in the list ${name}, or no longer.`);
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
    const count = Math.min(limit, MAX_PER_PAGE, total - offset);
    const position = count > 0 ? await counts.locate(newer + offset) : undefined;
    return { total, ids: position ? await idsAt({ service, pk }, position, count) : [] };
  };

  return {
    adding,
    removing,
    /** The ids from an offset on, and the total. */
    slice,
    /** The next entries after a place, in one query. A place stays valid while entries are added and removed. */
    walk: ({ limit, ...from }: Walk) =>
      entriesAfter({ service, pk }, { ...from, limit: Math.min(limit, MAX_PER_PAGE) }),
    placeOf: (id: string, atMs: number): string => entryKey(new Date(atMs).toISOString(), id),
    /** The ids of a page, counted from 1, and the total. */
    page: ({ page, pageSize, ...range }: Range & { readonly page: number; readonly pageSize: number }) =>
      slice({ offset: (page - 1) * pageSize, limit: pageSize, ...range }),
  };
}
