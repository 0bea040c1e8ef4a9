import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { searchList, TooManyEntries } from '../../../../shared/store/lists/search.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const COUNT = 2_100;
const IN_ONE_COMMIT = 70;

// One per second: 'n-0' is the oldest. Every 500th says so; the facts of every 700th have no room for it.
const list = numberedList({ service: 'sandbox', name: randomUUID(), random: () => 1 });
const factsOf = (n: number): string[] => {
  if (n % 700 === 0) return ['x'.repeat(900)];
  return [n % 500 === 0 ? `milestone ${n}` : `number ${n}`];
};

for (let from = 0; from < COUNT; from += IN_ONE_COMMIT) {
  const some = Array.from({ length: IN_ONE_COMMIT }, (_, n) => from + n);
  await commit(
    some.flatMap((n) =>
      list.changing(undefined, { id: `n-${n}`, atMs: NOON_MS + n * 1_000, facts: factsOf(n) }),
    ),
  );
}

const search = (text: string, more: Partial<Parameters<typeof searchList>[1]> = {}) => {
  const read: string[] = [];
  const source = {
    list,
    entryMatches: (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(text, entry),
    // Of the items that are read, the one numbered 1400 matches.
    readMatching: async (ids: readonly string[]) => {
      read.push(...ids);
      return ids.filter((id) => id === 'n-1400');
    },
  };
  const request = { page: 1, pageSize: 3, maxEntries: COUNT, ...more };
  return searchList(source, request).then((found) => ({ ...found, read }));
};

describe('a search of a list', () => {
  test('finds every match of the range, newest first, and counts them', async () => {
    const { ids, total } = await search('milestone');
    expect([ids, total]).toEqual([['n-2000', 'n-1500', 'n-1400'], 5]);
    expect(await search('milestone', { page: 2 })).toMatchObject({ ids: ['n-1000', 'n-500'], total: 5 });
    expect(await search('milestone', { page: 3 })).toMatchObject({ ids: [], total: 5 });
  });

  test('reads only the items whose entries do not tell', async () => {
    expect((await search('milestone')).read.toSorted()).toEqual(['n-0', 'n-1400', 'n-700']);
  });

  test('keeps to its range: the first millisecond is in it, the end is not', async () => {
    const range = { fromMs: NOON_MS + 500_000, untilMs: NOON_MS + 1_500_000 };
    expect(await search('milestone', range)).toMatchObject({ ids: ['n-1400', 'n-1000', 'n-500'], total: 3 });
    const one = { fromMs: NOON_MS + 500_000, untilMs: NOON_MS + 500_001 };
    expect(await search('milestone', one)).toMatchObject({ ids: ['n-500'], total: 1 });
    expect(await search('milestone', { untilMs: NOON_MS })).toMatchObject({ ids: [], total: 0 });
  });

  test('of more entries than it may read is refused, and of so many in a narrower range is not', async () => {
    await expect(search('milestone', { maxEntries: COUNT - 1 })).rejects.toThrow(TooManyEntries);
    const narrower = { maxEntries: COUNT - 1, fromMs: NOON_MS + 1_000 };
    expect(await search('milestone', narrower)).toMatchObject({ total: 5 });
  });
});
