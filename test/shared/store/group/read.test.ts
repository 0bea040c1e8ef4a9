import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { countCalls } from '../../../measure/calls.ts';

type Thing = { readonly id: string; readonly note: string };
const things = collection<Thing, string>({
  service: 'sandbox',
  name: 'thing',
  id: ({ id }) => id,
  key: (id) => ({ pk: `THING#${id}`, sk: 'THING' }),
});
const read = (id: string) => readTogether(things, id);
const aThing = async (note = 'old') => things.create({ id: randomUUID(), note });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('items that are read in groups', () => {
  test('and asked for at once are read by one request, each for whoever asked', async () => {
    const [a, b] = [await aThing('a'), await aThing('b')];
    let found: unknown;
    const { byCommand } = await countCalls(async () => {
      found = await Promise.all([read(a.id), read(randomUUID()), read(b.id), read(a.id)]);
    });
    expect(byCommand).toEqual({ BatchGetItem: 1 });
    expect(found).toEqual([a, undefined, b, a]);
  });

  // first    |--reads a, as it is--|
  // writer      |--changes a--|
  // second           |--asks for a: waits, and is read again--|
  test('and asked for while a group is read are the next group: nobody gets what is older than the question', async () => {
    const thing = await aThing();
    const { send } = dynamo();
    const second = Promise.withResolvers<Promise<Thing | undefined>>();
    let requests = 0;
    vi.spyOn(dynamo(), 'send').mockImplementation(async (command: unknown) => {
      const answer = await Reflect.apply(send, dynamo(), [command]);
      requests += 1;
      if (requests === 1) {
        await things.change(thing, { note: 'new' });
        second.resolve(read(thing.id));
      }
      return answer;
    });
    expect(await read(thing.id)).toMatchObject({ note: 'old' });
    expect(await await second.promise).toMatchObject({ note: 'new' });
  });

  test('take as many requests as DynamoDB makes of them: a hundred items each', async () => {
    const ids = Array.from({ length: 250 }, () => randomUUID());
    const { byCommand } = await countCalls(() => Promise.all(ids.map(read)));
    expect(byCommand).toEqual({ BatchGetItem: 3 });
  });

  test('fail together when the store does not answer, and the next group is read', async () => {
    const thing = await aThing();
    const failing = vi
      .spyOn(dynamo(), 'send')
      .mockImplementation(() => Promise.reject(new Error('no answer')));
    const outcomes = await Promise.allSettled([read(thing.id), read(randomUUID())]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing.mockRestore();
    expect(await read(thing.id)).toEqual(thing);
  });
});
