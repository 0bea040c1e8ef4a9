import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../shared/store/client.ts';
import { collection } from '../../../shared/store/collection.ts';
import { groupCommit } from '../../../shared/store/group-commit.ts';

type Thing = { readonly id: string; readonly note: string };
const things = collection<Thing, string>({
  service: 'sandbox',
  name: 'thing',
  id: ({ id }) => id,
  key: (id) => ({ pk: `THING#${id}`, sk: 'THING' }),
});

const entry = async (isStale = false) => {
  const thing = await things.create({ id: randomUUID(), note: 'old' });
  if (isStale) await things.change(thing, { note: 'changed by another' });
  return { id: thing.id, writes: [things.changing(thing, { note: 'new' })] };
};
type Entry = Awaited<ReturnType<typeof entry>>;

async function commitAll(entries: readonly Entry[]) {
  const outcomes = new Map<string, boolean>();
  const failures: unknown[] = [];
  const group = groupCommit<Entry>({
    onSettled: ({ id }, isCommitted) => outcomes.set(id, isCommitted),
    onFailed: (error) => failures.push(error),
  });
  for (const each of entries) group.add(each);
  await group.flush();
  return { failures, outcomes };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('entries that are committed in groups', () => {
  test('are all written, in few requests', async () => {
    const entries = await Promise.all(Array.from({ length: 250 }, () => entry()));
    const requests = vi.spyOn(dynamo(), 'send');
    const { outcomes } = await commitAll(entries);
    expect(outcomes.size).toBe(250);
    expect([...outcomes.values()].every((isCommitted) => isCommitted)).toBe(true);
    // The first goes alone; while it is on its way, the others gather, a hundred at a time.
    expect(requests.mock.calls.length).toBeLessThanOrEqual(4);
    const written = await things.getMany(entries.map(({ id }) => id));
    expect(new Set(written.map(({ note }) => note))).toEqual(new Set(['new']));
  });

  test('are written though one among them is refused, which is reported', async () => {
    const entries = [await entry(), await entry(), await entry(true), await entry()];
    const { outcomes, failures } = await commitAll(entries);
    expect(entries.map(({ id }) => outcomes.get(id))).toEqual([true, true, false, true]);
    expect(failures).toEqual([]);
    const notes = (await things.getMany(entries.map(({ id }) => id))).map(({ note }) => note);
    expect(notes).toEqual(['new', 'new', 'changed by another', 'new']);
  });

  test('are reported as not written when the store does not answer', async () => {
    const entries = [await entry(), await entry()];
    vi.spyOn(dynamo(), 'send').mockImplementation(() => Promise.reject(new Error('no answer')));
    const { outcomes, failures } = await commitAll(entries);
    expect(outcomes.size).toBe(0);
    expect(failures).toMatchObject([{ message: 'no answer' }]);
  });
});
