import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commitTogether } from '../../../../shared/store/group/commit.ts';

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

const commitAll = (entries: readonly Entry[]) =>
  Promise.all(entries.map(({ writes }) => commitTogether(writes)));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('entries that are committed in groups', () => {
  test('are all written, in few requests', async () => {
    const entries = await Promise.all(Array.from({ length: 250 }, () => entry()));
    const requests = vi.spyOn(dynamo(), 'send');
    expect(new Set(await commitAll(entries))).toEqual(new Set([true]));
    // Those of one moment go together, a hundred at a time.
    expect(requests.mock.calls.length).toBeLessThanOrEqual(4);
    const written = await things.getMany(entries.map(({ id }) => id));
    expect(new Set(written.map(({ note }) => note))).toEqual(new Set(['new']));
  });

  test('are written though one among them is refused, which is reported', async () => {
    const entries = [await entry(), await entry(), await entry(true), await entry()];
    expect(await commitAll(entries)).toEqual([true, true, false, true]);
    const notes = (await things.getMany(entries.map(({ id }) => id))).map(({ note }) => note);
    expect(notes).toEqual(['new', 'new', 'changed by another', 'new']);
  });

  //   first group   |--commits--sends its messages ------------------------ reported
  //   next group                |--commits--reported
  test('are reported after what follows their commit, which the next group does not wait for', async () => {
    const [first, next] = [await entry(), await entry()];
    const sent = Promise.withResolvers<void>();
    const reported: string[] = [];
    const committed = Promise.withResolvers<void>();
    const afterCommit = () => {
      committed.resolve();
      return sent.promise;
    };
    const ended = commitTogether(first.writes.map((write) => ({ ...write, afterCommit }))).then(() =>
      reported.push('first'),
    );
    await committed.promise;
    await commitTogether(next.writes).then(() => reported.push('next'));
    sent.resolve();
    await ended;
    expect(reported).toEqual(['next', 'first']);
  });

  test('are reported as not written when the store does not answer', async () => {
    const entries = [await entry(), await entry()];
    vi.spyOn(dynamo(), 'send').mockImplementation(() => Promise.reject(new Error('no answer')));
    const outcomes = await Promise.allSettled(entries.map(({ writes }) => commitTogether(writes)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
