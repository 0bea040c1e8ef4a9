import { describe, expect, test } from 'vitest';
import { collection } from '../../../shared/store/collection.ts';
import { clearPartition } from '../../../shared/store/partition.ts';

const notesOf = (job: string) =>
  collection<{ readonly id: string }, string>({
    service: 'sandbox',
    name: 'note',
    id: ({ id }) => id,
    key: (id) => ({ pk: `JOB#${job}`, sk: `NOTE#${id}` }),
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
