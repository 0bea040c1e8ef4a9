import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { type Attributes, toAttributes } from '../../../../shared/store/item.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { runs } from '../../../faults/fuzz.ts';
import { jobs, newJob } from '../jobs.ts';
import { requestsOf } from '../requests.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const MINUTE_MS = 60_000;

function freshList() {
  const name = crypto.randomUUID();
  const listOf = (...views: string[]) =>
    numberedList({ service: 'sandbox', name, random: () => 1, ...(views.length > 0 && { views }) });
  const list = listOf();
  const entry = (id: string, atMs: number, more: Partial<Entry> = {}): Entry => ({ id, atMs, ...more });
  return {
    name,
    list,
    listOf,
    adding: (...of: Parameters<typeof entry>) => list.changing(undefined, entry(...of)),
    removing: (...of: Parameters<typeof entry>) => list.changing(entry(...of), undefined),
  };
}

/** How many entries of lists DynamoDB answers while `work` runs. */
async function countEntriesRead(work: () => Promise<unknown>): Promise<number> {
  const name = `entries-${crypto.randomUUID()}`;
  let count = 0;
  dynamo().middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { Items = [] } = answer.output as { readonly Items?: readonly Attributes[] };
      count += Items.filter(({ pk }) => pk?.S?.startsWith('LIST#')).length;
      return answer;
    },
    { step: 'initialize', name },
  );
  await work().finally(() => dynamo().middlewareStack.remove(name));
  return count;
}

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
          const { list, adding, removing } = freshList();
          const known = made.map((entry, i) => ({ ...entry, id: `entry-${i}` }));
          for (const { id, atMs } of known) await commit(adding(id, atMs));
          for (const { id, atMs, stays } of known) if (!stays) await commit(removing(id, atMs));

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
      { numRuns: runs(30) },
    );
  });

  test('counts right when many add and remove at once', async () => {
    const { list, adding, removing } = freshList();
    const ids = Array.from({ length: 40 }, (_, i) => `entry-${i}`);
    await Promise.all(ids.map((id, i) => commit(adding(id, NOON_MS + i))));
    await Promise.all(ids.slice(0, 15).map((id, i) => commit(removing(id, NOON_MS + i))));
    const { ids: left, total } = await list.slice({ offset: 0, limit: 100 });
    expect(total).toBe(25);
    expect(left).toEqual(ids.slice(15).reverse());
  });

  test('an entry is counted once and taken away once, however often it is tried', async () => {
    const { list, adding, removing } = freshList();
    await commit(adding('x', NOON_MS));
    await expect(commit(adding('x', NOON_MS))).rejects.toThrow(AlreadyExists);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 1, ids: ['x'] });
    await commit(removing('x', NOON_MS));
    await expect(commit(removing('x', NOON_MS))).rejects.toThrow(RaceLost);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 0, ids: [] });
  });

  test('an entry is in the list if and only if the change that caused it happened', async () => {
    const { list, adding, removing } = freshList();
    const job = await jobs.create(newJob(), { also: adding('x', NOON_MS) });
    await jobs.change(job, { note: 'moved on' });
    await expect(jobs.delete(job, { also: removing('x', NOON_MS) })).rejects.toThrow(RaceLost);
    expect((await list.page({ page: 1, pageSize: 10 })).total).toBe(1);
  });

  test('several entries go in with one change, and one moves to another time', async () => {
    const { list, adding, removing } = freshList();
    await commit([...adding('a', NOON_MS), ...adding('b', NOON_MS + 1)]);
    await commit([...removing('a', NOON_MS), ...adding('a', NOON_MS + 2)]);
    expect(await list.page({ page: 1, pageSize: 10 })).toEqual({ total: 2, ids: ['a', 'b'] });
  });

  // reader    |--root: 200 in December---------- December: nothing --|-- goes on with what is older
  // remover                 |--removes it--|
  test('a page whose entries are removed while it is read goes on with older ones', async () => {
    const { name, list, adding } = freshList();
    await commit(adding('older', NOON_MS));
    await dynamo().send(
      new PutItemCommand({
        TableName: tableName('sandbox'),
        Item: toAttributes({
          pk: `LEDGER#${name}#0`,
          sk: 'HEAD',
          generation: 1,
          content: '{"amounts":{"2026-12":200}}',
        }),
      }),
    );
    expect((await list.page({ page: 1, pageSize: 10 })).ids).toEqual(['older']);
    expect((await list.page({ page: 12, pageSize: 10 })).ids).toEqual(['older']);
  });

  test('a page among thousands of one second reads no more entries than one near the end', async () => {
    const { list, adding } = freshList();
    const ids = Array.from({ length: 2_400 }, (_, i) => `entry-${String(i).padStart(4, '0')}`);
    const commits = Array.from({ length: 48 }, (_, n) => ids.slice(n * 50, n * 50 + 50));
    for (const some of commits)
      await commit(some.flatMap((id) => adding(id, NOON_MS + Math.floor(ids.indexOf(id) / 3))));
    await list.fold();
    const offset = 1_234;
    const entriesRead = await countEntriesRead(async () => {
      const { ids: page, total } = await list.slice({ offset, limit: 20 });
      expect([total, page]).toEqual([2_400, ids.toReversed().slice(offset, offset + 20)]);
    });
    // Those of the page from each of the two shards, and the others of its first millisecond.
    expect(entriesRead).toBeLessThanOrEqual(2 * (20 + 2));
    const sent = await requestsOf(() => list.slice({ offset, limit: 20 }));
    expect(sent).toEqual({ Query: 4, BatchGetItem: 1 });
  });

  test('a page over entries weeks apart costs no more than one over entries of a minute', async () => {
    const { list, adding } = freshList();
    for (let i = 0; i < 20; i++) await commit(adding(`entry-${i}`, NOON_MS - i * 19 * 24 * 60 * MINUTE_MS));
    const sent = await requestsOf(async () => {
      expect((await list.page({ page: 1, pageSize: 20 })).ids).toHaveLength(20);
    });
    expect(sent).toEqual({ Query: 4 });
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

  test('gives every entry once, newest first or oldest first, one query a step and shard', async () => {
    const { list, adding } = freshList();
    const ids = Array.from({ length: 8 }, (_, i) => `entry-${i}`);
    for (const [i, id] of ids.entries()) await commit(adding(id, NOON_MS + Math.floor(i / 3) * MINUTE_MS));
    expect(await through(list, true)).toEqual(ids);
    expect(await through(list, false)).toEqual(ids.toReversed());
    expect(await requestsOf(() => list.walk({ limit: 3 }))).toEqual({ Query: 2 });
  });

  test('keeps its place while entries come and go, the one it stands at too', async () => {
    const { list, adding, removing } = freshList();
    for (let i = 0; i < 4; i++) await commit(adding(`entry-${i}`, NOON_MS + i));
    const [, last] = await list.walk({ limit: 2 });
    expect(last).toMatchObject({ id: 'entry-2', place: list.placeOf('entry-2', NOON_MS + 2) });
    await commit([...removing('entry-2', NOON_MS + 2), ...adding('newer', NOON_MS + 9)]);
    const rest = await list.walk({ after: last?.place, limit: 9 });
    expect(rest.map(({ id }) => id)).toEqual(['entry-1', 'entry-0']);
  });
});

describe('the views of a list', () => {
  const writesOf = (writes: ReturnType<ReturnType<typeof freshList>['adding']>) =>
    writes.map((write) => ('amounts' in write ? write.amounts : Object.keys(write.item)[0]));

  test('are read alone, or merged newest first, each with its total', async () => {
    const { list, listOf, adding } = freshList();
    const views = ['Pending', 'Done', 'Refused'];
    for (let i = 0; i < 9; i++)
      await commit(adding(`entry-${i}`, NOON_MS + i * MINUTE_MS, { views: [views[i % 3] ?? ''] }));
    const page = { offset: 0, limit: 4 };
    expect(await listOf('Done').slice(page)).toEqual({ ids: ['entry-7', 'entry-4', 'entry-1'], total: 3 });
    const both = listOf('Pending', 'Refused');
    expect(await both.slice(page)).toEqual({ ids: ['entry-8', 'entry-6', 'entry-5', 'entry-3'], total: 6 });
    const [, , third] = await both.walk({ limit: 3 });
    expect((await both.walk({ after: third?.place, limit: 9 })).map(({ id }) => id)).toEqual([
      'entry-3',
      'entry-2',
      'entry-0',
    ]);
    expect(await requestsOf(() => both.slice(page))).toEqual({ Query: 6 });
    expect((await list.slice(page)).total).toBe(9);
  });

  test('change by two entries and one record when an entry moves from one to another', () => {
    const { list } = freshList();
    const entry = { id: 'x', atMs: NOON_MS, facts: ['Contrato'] };
    const [pending, done] = [
      { ...entry, views: ['Pending'] },
      { ...entry, views: ['Done'] },
    ];
    expect(writesOf(list.changing(pending, done))).toEqual([
      'Delete',
      'Put',
      { '2026-11-14T12:00:00.000|Pending': -1, '2026-11-14T12:00:00.000|Done': 1 },
    ]);
    expect(list.changing(pending, { ...pending })).toEqual([]);
    expect(writesOf(list.changing(pending, { ...pending, facts: ['Aditivo'] }))).toEqual(['Put', 'Put']);
    expect(writesOf(list.changing(undefined, pending))).toHaveLength(3);
  });

  test('carry facts as far as there is room, and say when there was not', async () => {
    const { list, adding } = freshList();
    await commit([
      ...adding('a', NOON_MS, { facts: ['Contrato', 'Ana', 'Contrato'] }),
      ...adding('b', NOON_MS + 1, { facts: ['short', 'ç'.repeat(500)] }),
      ...adding('c', NOON_MS + 2),
    ]);
    expect(await list.walk({ limit: 3 })).toMatchObject([
      { id: 'c', facts: [], hasAllFacts: false },
      { id: 'b', facts: ['short'], hasAllFacts: false },
      { id: 'a', facts: ['Contrato', 'Ana'], hasAllFacts: true },
    ]);
    const entry = { id: 'a', atMs: NOON_MS, facts: ['Contrato', 'Ana', 'Contrato'] };
    await commit(list.changing(entry, { ...entry, facts: ['Aditivo'] }));
    expect((await list.walk({ limit: 3 })).at(-1)).toMatchObject({ facts: ['Aditivo'], hasAllFacts: true });
    expect((await list.slice({ offset: 0, limit: 1 })).total).toBe(3);
  });
});
