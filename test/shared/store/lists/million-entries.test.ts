import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { toAttributes } from '../../../../shared/store/item.ts';
import { contentOf, type NodeContent, storedContent } from '../../../../shared/store/ledger/tree.ts';
import { ALL, amountName, countsOfAmount } from '../../../../shared/store/lists/counts.ts';
import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { requestsOf } from '../requests.ts';

// A list of a million entries over two months, one every five seconds or so. Its counts are written whole and
// true down to the minute, some 3,000 items. Of the entries themselves, which only the last of a page's requests touches,
// those around the pages that are read are written, and some elsewhere: all of them would take the store
// minutes. The test of the list itself writes every entry through the list.
const ENTRIES = 1_000_000;
const PAGE_SIZE = 50;
const PAGES = [1, 2, 4_999, 5_000, 10_000, 20_000];
const NEWEST_MS = Date.UTC(2026, 10, 14, 12, 34, 56);
const atMs = (index: number): number => NEWEST_MS - index * 5_200;
const idOf = (index: number): string => `entry-${index}`;

const name = crypto.randomUUID();
const list = numberedList({ service: 'sandbox', name });

const write = (items: object[]) =>
  dynamo().send(
    new BatchWriteItemCommand({
      RequestItems: {
        [tableName('sandbox')]: items.map((item) => ({ PutRequest: { Item: toAttributes(item) } })),
      },
    }),
  );

const minutes = new Map<number, number>();
for (let index = 0; index < ENTRIES; index++) {
  const minute = Math.floor(atMs(index) / 60_000);
  minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
}
// Each node with counts has an item. The range that is read begins and ends within a minute: those have their entries.
const [NEWEST_IN_RANGE, OLDEST_IN_RANGE] = [249_980, 250_049];
const isoAt = (index: number): string => new Date(atMs(index)).toISOString();
const nodes = new Map<string, NodeContent>();
const addTo = (path: ReturnType<typeof countsOfAmount>, count: number): void => {
  for (const [level, { node, name: amount }] of path.entries()) {
    const { amounts, below } = nodes.get(node) ?? contentOf({});
    const next = path[level + 1]?.node;
    nodes.set(node, {
      amounts: amounts.set(amount, (amounts.get(amount) ?? 0) + count),
      below: next === undefined ? below : below.add(next),
    });
  }
};
for (const [minute, entries] of minutes)
  addTo(countsOfAmount(new Date(minute * 60_000).toISOString().slice(0, 16)), entries);
for (const edge of [NEWEST_IN_RANGE, OLDEST_IN_RANGE]) {
  const minute = isoAt(edge).slice(0, 16);
  nodes.get(minute.slice(0, 13))?.below.add(minute);
  const near = Array.from({ length: 40 }, (_, n) => amountName(isoAt(edge - 20 + n), ALL));
  const amounts = near.filter((amount) => amount.startsWith(minute)).map((amount) => [amount, 1] as const);
  nodes.set(minute, { amounts: new Map(amounts), below: new Set() });
}
// Half of each count on another shard, as folds would have left it.
const halves = ({ amounts, below }: NodeContent, round: (n: number) => number): NodeContent => ({
  amounts: new Map([...amounts].map(([amount, count]) => [amount, round(count / 2)])),
  below,
});
const counts = [...nodes].flatMap(([node, content]) =>
  [Math.floor, Math.ceil].map((round, shard) => {
    const pk = `LEDGER#${name}#${shard}`;
    const key = node === '' ? { pk, sk: 'HEAD' } : { pk: `${pk}#NODE#${node}`, sk: 'NODE' };
    return { ...key, generation: 1, ...storedContent(halves(content, round)) };
  }),
);

const written = new Set<number>();
for (const page of PAGES) {
  for (let i = (page - 1) * PAGE_SIZE - 50; i < page * PAGE_SIZE + 50; i++) written.add(i);
}
for (let i = 0; i < ENTRIES; i += 997) written.add(i);
const entries = [...written]
  .filter((index) => index >= 0 && index < ENTRIES)
  .map((index) => ({
    pk: `LIST#${name}#All#${index % 2}`,
    sk: `${new Date(atMs(index)).toISOString()}#${idOf(index)}`,
  }));

const items = [...counts, ...entries];
const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, i) =>
  items.slice(i * 25, i * 25 + 25),
);
for (let i = 0; i < batches.length; i += 8) await Promise.all(batches.slice(i, i + 8).map(write));

test.each(PAGES)(
  'page %i of a million entries is the right one and costs at most six requests',
  async (page) => {
    const first = (page - 1) * PAGE_SIZE;
    const sent = await requestsOf(async () => {
      const { ids, total } = await list.page({ page, pageSize: PAGE_SIZE });
      expect(total).toBe(ENTRIES);
      expect(ids).toEqual(Array.from({ length: PAGE_SIZE }, (_, i) => idOf(first + i)));
    });
    expect(sent.Query).toBe(4);
    // The last count is read where more than a few entries of the hour are passed by.
    expect(sent.BatchGetItem ?? 0).toBeLessThanOrEqual(page <= 2 ? 0 : 2);
  },
);

test('a page far from both ends is found from the oldest as well, for the same cost', async () => {
  const offset = ENTRIES - 500_000;
  const sent = await requestsOf(async () => {
    const { ids } = await list.slice({ offset, limit: PAGE_SIZE, oldestFirst: true });
    expect(ids).toEqual(Array.from({ length: PAGE_SIZE }, (_, i) => idOf(499_999 - i)));
  });
  expect(sent.Query).toBe(4);
  expect(sent.BatchGetItem).toBeLessThanOrEqual(2);
});

test('a page past the end costs two queries', async () => {
  const sent = await requestsOf(async () => {
    expect(await list.page({ page: 20_001, pageSize: PAGE_SIZE })).toEqual({ ids: [], total: ENTRIES });
  });
  expect(sent).toEqual({ Query: 2 });
});

test('a page within a range of time costs three paths and no more, wherever the range is', async () => {
  const range = { fromMs: atMs(OLDEST_IN_RANGE), untilMs: atMs(NEWEST_IN_RANGE) + 1 };
  const sent = await requestsOf(async () => {
    const { ids, total } = await list.page({ page: 1, pageSize: 20, ...range });
    expect(total).toBe(70);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => idOf(NEWEST_IN_RANGE + i)));
  });
  expect((sent.Query ?? 0) + (sent.BatchGetItem ?? 0)).toBeLessThanOrEqual(14);
});
