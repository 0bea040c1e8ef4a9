import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  containsText,
  listPage,
  type PageRequest,
} from '../../../../../functions/documents/domain/lists/list-page.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { numberedList } from '../../../../../shared/store/lists/numbered-list.ts';
import { requestsOf } from '../../../../shared/store/requests.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const COUNT = 2_100;
const IN_ONE_COMMIT = 70;

// One per second: 'n-0' is the oldest.
const list = numberedList({ service: 'sandbox', name: randomUUID() });
const all = Array.from({ length: COUNT }, (_, n) => ({ id: `n-${n}`, n, createdAtMs: NOON_MS + n * 1_000 }));
const byId = new Map(all.map((item) => [item.id, item]));
const read = async (ids: readonly string[]) =>
  ids.map((id) => byId.get(id)).filter((item) => item !== undefined);

beforeAll(async () => {
  for (let from = 0; from < COUNT; from += IN_ONE_COMMIT) {
    const some = all.slice(from, from + IN_ONE_COMMIT);
    await commit(some.flatMap(({ id, createdAtMs }) => list.adding(id, createdAtMs)));
  }
});

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
  test('costs as many requests at page 1,000 as at the first', async () => {
    const first = await requestsOf(() => listPage({ list, read }, asked()));
    const far = await requestsOf(async () => {
      expect(idsOf(await listPage({ list, read }, asked({ offset: 1_000 })))).toEqual(['n-99', 'n-98']);
    });
    expect(far).toEqual(first);
  });

  test('is found from the other end as well', async () => {
    const page = await listPage({ list, read }, asked({ offset: 1_049, order: 'Asc' }));
    expect([idsOf(page), page.totalCount, page.nextCursor]).toEqual([['n-2098', 'n-2099'], COUNT, null]);
  });
});

describe('a search', () => {
  test('looks at 1,000 a call, then goes on from nextCursor to the end', async () => {
    const source = { list, read, matches: ({ n }: { readonly n: number }) => n === 3 };
    const pages = [await listPage(source, asked())];
    for (let next = pages[0]?.nextCursor; next; next = pages.at(-1)?.nextCursor)
      pages.push(await listPage(source, asked({ cursor: next })));
    expect(pages.map(idsOf)).toEqual([[], [], ['n-3']]);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([null, null, null]);
  });

  test('asked for a later page passes by the earlier ones, over several calls if need be', async () => {
    const source = { list, read, matches: every(500) };
    const first = await listPage(source, asked({ offset: 1 }));
    expect([idsOf(first), first.nextCursor]).toEqual([[], expect.any(String)]);
    const second = await listPage(source, asked({ offset: 1, cursor: first.nextCursor ?? '' }));
    expect(idsOf(second)).toEqual(['n-1000', 'n-500']);
  });

  test('keeps its place while entries come and go', async () => {
    const own = numberedList({ service: 'sandbox', name: randomUUID() });
    const some = all.slice(0, 6);
    await commit(some.flatMap(({ id, createdAtMs }) => own.adding(id, createdAtMs)));
    const source = { list: own, read, matches: every(1) };
    const first = await listPage(source, asked());
    await commit([...own.removing('n-4', NOON_MS + 4_000), ...own.adding('n-9', NOON_MS + 9_000)]);
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

describe('a text that is looked for', () => {
  test.each([
    ['acao', 'Ação nº 7', true],
    ['AÇÃO', 'acao', true],
    ['7', 'Ação nº 7', true],
    ['acoes', 'Ação', false],
  ])('%j is in %j: %s', (wanted, text, expected) => {
    expect(containsText(wanted, [null, text])).toBe(expected);
  });
});
