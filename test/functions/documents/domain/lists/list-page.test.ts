import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listPage, type PageRequest } from '../../../../../functions/documents/domain/lists/list-page.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { containsText, entryContainsText } from '../../../../../shared/store/lists/contains-text.ts';
import { numberedList } from '../../../../../shared/store/lists/numbered-list.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const COUNT = 2_100;
const IN_ONE_COMMIT = 70;

// One per second: 'n-0' is the oldest.
const freshList = () => numberedList({ service: 'sandbox', name: randomUUID(), random: () => 1 });
const list = freshList();
const all = Array.from({ length: COUNT }, (_, n) => ({ id: `n-${n}`, n, createdAtMs: NOON_MS + n * 1_000 }));
const entryOf = ({ id, createdAtMs, n }: (typeof all)[number]) => ({
  id,
  atMs: createdAtMs,
  facts: [`Número ${n}`],
});
const byId = new Map(all.map((item) => [item.id, item]));
const read = async (ids: readonly string[]) =>
  ids.map((id) => byId.get(id)).filter((item) => item !== undefined);

for (let from = 0; from < COUNT; from += IN_ONE_COMMIT) {
  const some = all.slice(from, from + IN_ONE_COMMIT);
  await commit(some.flatMap((item) => list.changing(undefined, entryOf(item))));
}

const asked = (more: Partial<PageRequest> = {}): PageRequest => ({
  limit: 2,
  offset: 0,
  order: 'Desc',
  ...more,
});
const idsOf = (page: { readonly items: readonly { readonly id: string }[] }) =>
  page.items.map(({ id }) => id);
const every = (step: number) => (item: { readonly n: number }) => item.n % step === 0;

describe('a page of a list', () => {
  test('costs four queries at the first, and at most two requests more at page 1,000, in both orders', async () => {
    const at = (offset: number, order: 'Asc' | 'Desc', expected: string[]) =>
      requestsOf(async () => {
        expect(idsOf(await listPage({ list, read }, asked({ offset, order })))).toEqual(expected);
      });
    expect(await at(0, 'Desc', ['n-2099', 'n-2098'])).toEqual({ Query: 4 });
    expect(await at(0, 'Asc', ['n-0', 'n-1'])).toEqual({ Query: 4 });
    for (const far of [
      await at(1_000, 'Desc', ['n-99', 'n-98']),
      await at(1_000, 'Asc', ['n-2000', 'n-2001']),
    ]) {
      expect(far.Query).toBe(4);
      expect(far.BatchGetItem ?? 0).toBeLessThanOrEqual(2);
    }
  });

  test('is found from the other end as well', async () => {
    const page = await listPage({ list, read }, asked({ offset: 1_049, order: 'Asc' }));
    expect([idsOf(page), page.totalCount, page.nextCursor]).toEqual([['n-2098', 'n-2099'], COUNT, null]);
  });

  test('by cursor is two queries, whose total is two more', async () => {
    const { nextCursor } = await listPage({ list, read }, asked());
    const sent = await requestsOf(async () => {
      const page = await listPage({ list, read }, asked({ cursor: nextCursor ?? '' }));
      expect([idsOf(page), page.totalCount]).toEqual([['n-2097', 'n-2096'], COUNT]);
    });
    expect(sent).toEqual({ Query: 4 });
  });
});

describe('a search', () => {
  test('looks at 1,000 a call, then goes on from nextCursor to the end', async () => {
    const source = { list, read, matches: ({ n }: { readonly n: number }) => n === 3 };
    const pages = [await listPage(source, asked())];
    for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor)
      pages.push(await listPage(source, asked({ cursor: next })));
    expect(pages.map(idsOf)).toEqual([[], [], ['n-3']]);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([0, 0, 1]);
  });

  test('counts the matches that it saw: all at the end, and at least so many before it', async () => {
    const source = { list, read, matches: every(300) };
    const pages = [await listPage(source, asked({ limit: 1 }))];
    for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor)
      pages.push(await listPage(source, asked({ limit: 1, cursor: next })));
    const totals = pages.map(({ totalCount }) => totalCount);
    expect(pages.flatMap(idsOf)).toHaveLength(7);
    // A page that does not end the search counts one more than there are up to its end, so that nobody stops there.
    for (const [index, { nextCursor }] of pages.entries()) {
      const shown = pages.slice(0, index + 1).flatMap(idsOf).length;
      if (nextCursor !== null && pages[index]?.items.length === 1)
        expect(totals[index]).toBeGreaterThan(shown);
    }
    expect(totals.at(-1)).toBe(7);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  });

  test('asked for a later page passes by the earlier ones, over several calls if need be', async () => {
    const source = { list, read, matches: every(500) };
    const first = await listPage(source, asked({ offset: 1 }));
    expect([idsOf(first), first.nextCursor]).toEqual([[], expect.any(String)]);
    const second = await listPage(source, asked({ offset: 1, cursor: first.nextCursor ?? '' }));
    expect(idsOf(second)).toEqual(['n-1000', 'n-500']);
  });

  test('keeps its place while entries come and go', async () => {
    const own = freshList();
    const some = all.slice(0, 6);
    await commit(some.flatMap((item) => own.changing(undefined, entryOf(item))));
    const source = { list: own, read, matches: every(1) };
    const first = await listPage(source, asked());
    await commit(some.slice(4, 5).flatMap((item) => own.changing(entryOf(item), undefined)));
    await commit(all.slice(9, 10).flatMap((item) => own.changing(undefined, entryOf(item))));
    const second = await listPage(source, asked({ cursor: first.nextCursor ?? '' }));
    expect([idsOf(first), idsOf(second)]).toEqual([
      ['n-5', 'n-4'],
      ['n-3', 'n-2'],
    ]);
  });

  test('passes over what is on the list and no more there', async () => {
    const without = async (ids: readonly string[]) => (await read(ids)).filter(({ n }) => n !== COUNT - 1);
    const page = await listPage({ list, read: without, matches: every(1) }, asked());
    expect(idsOf(page)).toEqual([`n-${COUNT - 2}`, `n-${COUNT - 3}`]);
  });
});

describe('a search by facts', () => {
  /** A search that notes the items it reads. The entries from `cutFrom` on do not have all facts. */
  const searching = (q: string, cutFrom = Infinity) => {
    const readIds: string[] = [];
    return {
      readIds,
      list,
      read: async (ids: readonly string[]) => {
        readIds.push(...ids);
        return read(ids);
      },
      matches: ({ n }: { readonly n: number }) => containsText(q, [`Número ${n}`]),
      entryMatches: (entry: Parameters<typeof entryContainsText>[1]) =>
        entryContainsText(q, { ...entry, hasAllFacts: Number(entry.id.slice(2)) < cutFrom }),
    };
  };

  test('reads the items of its page, and those of entries without all facts', async () => {
    const whole = searching('numero 20');
    const page = await listPage(whole, asked({ limit: 3, offset: 1 }));
    expect([idsOf(page), page.items[0]?.n]).toEqual([['n-2096', 'n-2095', 'n-2094'], 2_096]);
    expect(whole.readIds).toEqual(['n-2096', 'n-2095', 'n-2094']);
    const cut = searching('numero 2097', 2_098);
    expect(idsOf(await listPage(cut, asked()))).toEqual(['n-2097']);
    expect(cut.readIds).toEqual(['n-2099', 'n-2098', 'n-2097']);
  });

  test('goes on to count what is beyond its page, among 1,000 entries, and reads no item for it', async () => {
    const whole = searching('numero');
    const page = await listPage(whole, asked());
    expect([page.totalCount, whole.readIds]).toEqual([1_000, ['n-2099', 'n-2098']]);
    const next = await listPage(whole, asked({ cursor: page.nextCursor ?? '' }));
    expect([idsOf(next), next.totalCount]).toEqual([['n-2097', 'n-2096'], 1_002]);
    // Without facts that tell, it ends where items would have to be read.
    const { entryMatches: _, ...unclear } = searching('numero');
    expect((await listPage(unclear, asked())).totalCount).toBe(250);
    expect(unclear.readIds).toHaveLength(250);
  });

  test('of 1,000 entries is eight queries, and goes on while its page is not full', async () => {
    expect(await requestsOf(() => listPage(searching('número'), asked()))).toEqual({ Query: 8 });
    // The whole list of 2,100, a part of 250 after the other, in two shards.
    expect(await requestsOf(() => listPage(searching('no such text'), asked()))).toEqual({ Query: 18 });
  });
});

test.each([
  ['acao', 'Ação nº 7', true],
  ['AÇÃO', 'acao', true],
  ['7', 'Ação nº 7', true],
  ['acoes', 'Ação', false],
])('a text that is looked for: %j is in %j: %s', (wanted, text, expected) => {
  expect(containsText(wanted, [null, text])).toBe(expected);
});
