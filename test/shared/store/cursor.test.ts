import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retry } from '../../../shared/async/retry.ts';
import { isStoreUnavailable } from '../../../shared/store/availability.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { eachItem, firstItems, pageByCursor } from '../../../shared/store/cursor.ts';
import { runs } from '../../faults/fuzz.ts';

type Note = { readonly list: string; readonly id: string; readonly text?: string };
const pkOf = (list: string): string => `TEST-NOTES#${list}`;
const notes = collection<Note, Pick<Note, 'list' | 'id'>>({
  service: 'sandbox',
  name: 'note',
  id: ({ list, id }) => ({ list, id }),
  key: ({ list, id }) => ({ pk: pkOf(list), sk: id }),
});

async function listOf(ids: readonly string[], text?: string) {
  const list = crypto.randomUUID();
  await Promise.all(ids.map((id) => notes.create({ list, id, text })));
  return pkOf(list);
}

type Query = Parameters<typeof pageByCursor>[1];
async function walk(query: Query): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(notes, { ...query, cursor });
    if ('refused' in page) throw new Error(page.refused);
    pages.push(page.items.map(({ id }: Stored<Note>) => id));
    cursor = page.next;
  } while (cursor);
  return pages;
}

describe('a list by cursor', () => {
  test('gives every item once, in order, and ends with the last full page', async () => {
    const pk = await listOf(['a', 'b', 'c', 'ç', 'd', 'e'].sort());
    expect(await walk({ pk, limit: 2 })).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'ç'],
    ]);
    expect(await walk({ pk, limit: 4, newestFirst: true })).toEqual([
      ['ç', 'e', 'd', 'c'],
      ['b', 'a'],
    ]);
    expect(await walk({ pk: pkOf('empty'), limit: 2 })).toEqual([[]]);
  });

  test('has only the items with the prefix', async () => {
    const pk = await listOf(['A#1', 'B#1', 'B#2', 'B#3', 'C#1']);
    expect(await walk({ pk, skPrefix: 'B#', limit: 2 })).toEqual([['B#1', 'B#2'], ['B#3']]);
    expect(await walk({ pk, skPrefix: 'B#', limit: 2, newestFirst: true })).toEqual([
      ['B#3', 'B#2'],
      ['B#1'],
    ]);
  });

  test('goes on where it was when the item under the cursor is gone', async () => {
    const pk = await listOf(['a', 'b', 'c']);
    const first = await pageByCursor(notes, { pk, limit: 1 });
    if ('refused' in first || !first.items[0]) throw new Error('no first page');
    await notes.delete(first.items[0]);
    const second = await pageByCursor(notes, { pk, limit: 1, cursor: first.next });
    expect(second).toMatchObject({ items: [{ id: 'b' }] });
  });

  test('fills a page that DynamoDB gives in several answers of a megabyte', async () => {
    // DynamoDB writes a megabyte a second under one key, and refuses the rest for a moment.
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const list = crypto.randomUUID();
    for (const id of ids)
      await retry(() => notes.put({ list, id, text: 'x'.repeat(300_000) }), {
        maxAttempts: 10,
        isRetryable: isStoreUnavailable,
        pauseMs: () => 500,
      });
    const pk = pkOf(list);
    expect(await walk({ pk, limit: 7 })).toEqual([['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['h']]);
  });

  test('is bounded, whatever the limit', async () => {
    const pk = await listOf(['a', 'b']);
    for (const limit of [0, -5, Number.NaN]) {
      expect(await pageByCursor(notes, { pk, limit })).toMatchObject({ items: [{ id: 'a' }] });
    }
    expect(await walk({ pk, limit: Number.POSITIVE_INFINITY })).toEqual([['a', 'b']]);
  });
});

test.each([1, 2, 3, 7])('all items are read in pages of %i', async (size) => {
  const pk = await listOf(['A#1', 'B#1', 'B#2', 'B#3', 'B#4', 'C#1']);
  const idOf = ({ id }: Note) => id;
  const read = (query: object) => Array.fromAsync(eachItem(notes, { pk, ...query }, size), idOf);
  expect(await read({})).toEqual(['A#1', 'B#1', 'B#2', 'B#3', 'B#4', 'C#1']);
  expect(await read({ skPrefix: 'B#', after: 'B#1' })).toEqual(['B#2', 'B#3', 'B#4']);
  expect(await read({ skPrefix: 'B#', newestFirst: true })).toEqual(['B#4', 'B#3', 'B#2', 'B#1']);
  const first = await firstItems(notes, { pk, skPrefix: 'B#' }, size);
  expect(first.map(idOf)).toEqual(['B#1', 'B#2', 'B#3', 'B#4'].slice(0, size));
});

describe('a cursor that is not ours', () => {
  const foreign = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.string().map((text) => Buffer.from(text).toString('base64url')),
    fc
      .uint8Array({ minLength: 1, maxLength: 2_000 })
      .map((bytes) => Buffer.from(bytes).toString('base64url')),
  );

  test('is refused or starts within the same list; it never breaks the query', async () => {
    const pk = await listOf(['N#1', 'N#2']);
    await fc.assert(
      fc.asyncProperty(foreign, fc.constantFrom('', 'N#'), async (cursor, skPrefix) => {
        const page = await pageByCursor(notes, { pk, skPrefix, limit: 5, cursor });
        if ('refused' in page) return;
        for (const { id } of page.items) expect(['N#1', 'N#2']).toContain(id);
      }),
      { numRuns: runs(150) },
    );
  });

  const encoded = (sk: string): string => Buffer.from(sk).toString('base64url');
  test.each([
    ['nothing', ''],
    ['no encoding of ours', 'not base64!'],
    ['one of ours with something after it', `${encoded('N#1')}=`],
    ['the key of something else', encoded('A#1')],
    ['longer than a key can be', encoded(`N#${'x'.repeat(1_100)}`)],
  ])('is refused as a value: %s', async (_, cursor) => {
    const pk = await listOf(['N#1']);
    const page = await pageByCursor(notes, { pk, skPrefix: 'N#', limit: 5, cursor });
    expect(page).toEqual({ refused: 'bad-cursor' });
  });
});
