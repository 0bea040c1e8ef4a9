import { expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { requestsOf } from '../requests.ts';

const NOON_MS = Date.UTC(2026, 10, 14, 12);

type Note = { readonly id: string; readonly text: string };

function freshNotes() {
  const name = crypto.randomUUID();
  const listOf = (...views: string[]) =>
    numberedList({ service: 'sandbox', name, random: () => 1, ...(views.length > 0 && { views }) });
  const entryOf = (note: Note, view: string): Entry => ({
    id: note.id,
    atMs: NOON_MS,
    views: [view],
    facts: [note.text],
    item: note,
  });
  const read = async (...views: string[]) => {
    const list = listOf(...views);
    const { entries } = await list.sliceEntries({ offset: 0, limit: 10 });
    return list.itemsOf<Note>(entries);
  };
  return { listOf, entryOf, read };
}

const [a, b] = [
  { id: 'a', text: 'first' },
  { id: 'b', text: 'second' },
] as const;

test('a list that has the things themselves gives them with its entries, and by a view in one request more', async () => {
  const { listOf, entryOf, read } = freshNotes();
  await commit(listOf().changing(undefined, entryOf(a, 'Red')));
  await commit(listOf().changing(undefined, entryOf(b, 'Blue')));
  expect([await read(), await read('Red')]).toEqual([[b, a], [a]]);
  const [all, view] = [await requestsOf(() => read()), await requestsOf(() => read('Red'))];
  expect(view).toEqual({ ...all, BatchGetItem: 1 });
});

test('a thing is put on the list once, and gone from every view when it is taken off', async () => {
  const { listOf, entryOf, read } = freshNotes();
  const [adding, removing] = [
    () => commit(listOf().changing(undefined, entryOf(a, 'Red'))),
    () => commit(listOf().changing(entryOf(a, 'Red'), undefined)),
  ];
  await adding();
  await expect(adding()).rejects.toThrow(AlreadyExists);
  const list = listOf('Red');
  const { entries } = await list.sliceEntries({ offset: 0, limit: 10 });
  await removing();
  await expect(removing()).rejects.toThrow(RaceLost);
  expect([await read(), await read('Red'), await list.itemsOf(entries)]).toEqual([[], [], []]);
});
