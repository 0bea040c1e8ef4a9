import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { jobs, newJob } from '../jobs.ts';
import { requestsOf } from '../requests.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const MINUTE_MS = 60_000;
const freshList = () => {
  const name = crypto.randomUUID();
  return { name, list: numberedList({ service: 'sandbox', name }) };
};

describe('a list by page number', () => {
  test('gives every page of any list as sorting it whole would, by any range of time', async () => {
    // Times close together and years apart, several at the very same moment.
    const anyTime = fc.oneof(
      fc.integer({ min: 0, max: 3 * MINUTE_MS }).map((ms) => NOON_MS + ms),
      fc.integer({ min: 0, max: 3 }).map((n) => NOON_MS + n * MINUTE_MS),
      fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) }),
    );
    const entries = fc.array(fc.record({ atMs: anyTime, stays: fc.boolean() }), { maxLength: 12 });
    const bound = fc.option(anyTime, { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.integer({ min: 1, max: 5 }),
        bound,
        bound,
        async (made, pageSize, fromMs, untilMs) => {
          const { list } = freshList();
          const known = made.map((entry, i) => ({ ...entry, id: `entry-${i}` }));
          for (const { id, atMs } of known) await commit(list.adding(id, atMs));
          for (const { id, atMs, stays } of known) if (!stays) await commit(list.removing(id, atMs));

          const expected = known
            .filter(
              ({ stays, atMs }) =>
                stays && atMs >= (fromMs ?? 0) && atMs < (untilMs ?? Number.POSITIVE_INFINITY),
            )
            .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
            .map(({ id }) => id);
          for (let page = 1; page <= expected.length / pageSize + 2; page++) {
            const start = (page - 1) * pageSize;
            expect(await list.page({ page, pageSize, fromMs, untilMs })).toEqual({
              total: expected.length,
              ids: expected.slice(start, start + pageSize),
            });
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('counts right when many add and remove at once', async () => {
    const { list } = freshList();
    const ids = Array.from({ length: 40 }, (_, i) => `entry-${i}`);
    await Promise.all(ids.map((id, i) => commit(list.adding(id, NOON_MS + i))));
    await Promise.all(ids.slice(0, 15).map((id, i) => commit(list.removing(id, NOON_MS + i))));
    const { ids: left, total } = await list.slice({ offset: 0, limit: 100 });
    expect(total).toBe(25);
    expect(left).toEqual(ids.slice(15).reverse());
  });

  test('an entry is counted once and taken away once, however often it is tried', async () => {
    const { list } = freshList();
    await commit(list.adding('x', NOON_MS));
    await expect(commit(list.adding('x', NOON_MS))).rejects.toThrow(AlreadyExists);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 1, ids: ['x'] });
    await commit(list.removing('x', NOON_MS));
    await expect(commit(list.removing('x', NOON_MS))).rejects.toThrow(RaceLost);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 0, ids: [] });
  });

  test('an entry is in the list if and only if the change that caused it happened', async () => {
    const { list } = freshList();
    const job = await jobs.create(newJob(), { also: list.adding('x', NOON_MS) });
    await jobs.change(job, { note: 'moved on' });
    await expect(jobs.delete(job, { also: list.removing('x', NOON_MS) })).rejects.toThrow(RaceLost);
    expect((await list.page({ page: 1, pageSize: 10 })).total).toBe(1);
  });

  test('several entries go in with one change, and one moves to another time', async () => {
    const { list } = freshList();
    await commit([...list.adding('a', NOON_MS), ...list.adding('b', NOON_MS + 1)]);
    await commit([...list.removing('a', NOON_MS), ...list.adding('a', NOON_MS + 2)]);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 2, ids: ['a', 'b'] });
  });

  // reader    |--root: 1 in December------------ December: nothing --|-- goes on with what is older
  // remover                 |--removes it--|
  test('a page whose entries are removed while it is read goes on with older ones', async () => {
    const { name, list } = freshList();
    await commit(list.adding('older', NOON_MS));
    const root = { pk: `LIST#${name}#COUNTS#`, sk: 'SHARD#0' };
    await commit([{ table: tableName('sandbox'), key: root, amounts: { '2026-12': 1 } }]);
    expect((await list.page({ page: 1, pageSize: 10 })).ids).toEqual(['older']);
  });

  test('a page over entries weeks apart costs no more than one over entries of a minute', async () => {
    const { list } = freshList();
    for (let i = 0; i < 20; i++)
      await commit(list.adding(`entry-${i}`, NOON_MS - i * 19 * 24 * 60 * MINUTE_MS));
    const sent = await requestsOf(async () => {
      expect((await list.page({ page: 1, pageSize: 20 })).ids).toHaveLength(20);
    });
    expect(sent).toEqual({ Query: 5 });
  });
});

describe('a walk through a list', () => {
  const through = async (list: ReturnType<typeof freshList>['list'], oldestFirst: boolean) => {
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const entries = await list.walk({ after, oldestFirst, limit: 3 });
      seen.push(...entries.map(({ id }) => id));
      if (entries.length < 3) return seen;
      after = entries.at(-1)?.place;
    }
  };

  test('gives every entry once, newest first or oldest first, one query a step', async () => {
    const { list } = freshList();
    const ids = Array.from({ length: 8 }, (_, i) => `entry-${i}`);
    for (const [i, id] of ids.entries())
      await commit(list.adding(id, NOON_MS + Math.floor(i / 3) * MINUTE_MS));
    expect(await through(list, true)).toEqual(ids);
    expect(await through(list, false)).toEqual(ids.toReversed());
    expect(await requestsOf(() => list.walk({ limit: 3 }))).toEqual({ Query: 1 });
  });

  test('keeps its place while entries come and go, the one it stands at too', async () => {
    const { list } = freshList();
    for (let i = 0; i < 4; i++) await commit(list.adding(`entry-${i}`, NOON_MS + i));
    const [, last] = await list.walk({ limit: 2 });
    expect(last).toEqual({ id: 'entry-2', place: list.placeOf('entry-2', NOON_MS + 2) });
    await commit([...list.removing('entry-2', NOON_MS + 2), ...list.adding('newer', NOON_MS + 9)]);
    const rest = await list.walk({ after: last?.place, limit: 9 });
    expect(rest.map(({ id }) => id)).toEqual(['entry-1', 'entry-0']);
  });
});
