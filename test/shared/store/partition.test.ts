import { describe, expect, test } from 'vitest';
import { collection } from '../../../shared/store/collection.ts';
import { clearPartition, readPartition } from '../../../shared/store/partition.ts';
import { requestsOf } from './requests.ts';

const notesOf = (job: string) =>
  collection<{ readonly id: string; readonly text?: string }, string>({
    service: 'sandbox',
    name: 'note',
    id: ({ id }) => id,
    key: (id) => ({ pk: `JOB#${job}`, sk: `NOTE#${id}` }),
  });

const idsIn = async (job: string, skPrefix?: string) =>
  (await readPartition('sandbox', `JOB#${job}`, skPrefix)).map((row) => notesOf(job).read(row).id);

describe('reading a partition', () => {
  test('gives its items in the order of their sort keys, in one query, and none of another', async () => {
    const [job, other] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ['b', 'c', 'a']) await notesOf(job).create({ id });
    await notesOf(other).create({ id: 'd' });
    const sent = await requestsOf(async () => expect(await idsIn(job)).toEqual(['a', 'b', 'c']));
    expect(sent).toEqual({ Query: 1 });
  });

  test('gives only the items whose sort key begins with a prefix', async () => {
    const job = crypto.randomUUID();
    for (const id of ['old-1', 'new-1', 'new-2']) await notesOf(job).create({ id });
    expect(await idsIn(job, 'NOTE#new-')).toEqual(['new-1', 'new-2']);
    expect(await idsIn(job, 'NOTE#none')).toEqual([]);
  });

  // DynamoDB answers at most 1 MB at once.
  test('goes on where one answer does not hold all', async () => {
    const job = crypto.randomUUID();
    const text = 'x'.repeat(350_000);
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) await notesOf(job).create({ id, text });
    expect(await idsIn(job)).toEqual(ids);
  });
});

describe('emptying a partition', () => {
  test('deletes every item under its key, however many, and none under another', async () => {
    const [gone, stays] = [crypto.randomUUID(), crypto.randomUUID()];
    const ids = Array.from({ length: 60 }, (_, n) => `${n}`);
    for (const job of [gone, stays]) await Promise.all(ids.map((id) => notesOf(job).create({ id })));
    expect(await clearPartition('sandbox', `JOB#${gone}`)).toBe(60);
    expect(await notesOf(gone).getMany(ids)).toEqual([]);
    expect(await notesOf(stays).getMany(ids)).toHaveLength(60);
  });

  test('may be repeated, and is done at once where nothing is', async () => {
    expect(await clearPartition('sandbox', `JOB#${crypto.randomUUID()}`)).toBe(0);
  });
});
