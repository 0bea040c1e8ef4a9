import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { getBoth } from '../../../shared/store/collection.ts';
import { commit, fitsOneCommit } from '../../../shared/store/commit.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { jobs, newJob } from './jobs.ts';
import { loseNextAnswer, requestsOf } from './requests.ts';

const winners = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length;

describe('create', () => {
  test('an item is read back as it was written, without the columns of the table', async () => {
    const job = newJob({ note: 'ação', wakeAtMs: 5 });
    const stored = await jobs.create(job);
    expect(stored).toEqual({ ...job, version: expect.any(String) });
    expect(await jobs.get(job.id)).toEqual(stored);
    expect(await jobs.get(crypto.randomUUID())).toBeUndefined();
  });

  test('of 20 creators of one id one wins, the others are refused', async () => {
    const job = newJob();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => jobs.create(job)));
    expect(winners(outcomes)).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(AlreadyExists);
    }
    await expect(jobs.create(job)).rejects.toThrow(`The job ${job.id} exists already.`);
  });

  test('a create whose answer was lost is not refused by itself', async () => {
    const job = newJob();
    loseNextAnswer('PutItem');
    const stored = await jobs.create(job);
    expect(await jobs.get(job.id)).toEqual(stored);
  });
});

describe('change', () => {
  test('only the named fields change, and undefined removes one', async () => {
    const job = await jobs.create(newJob({ note: 'first', fence: 3 }));
    const changed = await jobs.change(job, { note: undefined, fence: 4 });
    expect(await jobs.get(job.id)).toStrictEqual({
      id: job.id,
      state: 'Queued',
      fence: 4,
      version: changed.version,
    });
  });

  // writer 1..20  |--read v--|        all with version v
  //               write v -> own version: one finds v, the others find the winner's
  test('of 20 writers with the same version one wins, the others lose the race', async () => {
    const job = await jobs.create(newJob());
    const notes = Array.from({ length: 20 }, (_, i) => `writer ${i}`);
    const outcomes = await Promise.allSettled(notes.map((note) => jobs.change(job, { note })));
    expect(winners(outcomes)).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RaceLost);
    }
    expect(notes).toContain((await jobs.get(job.id))?.note);
  });

  test('a change whose answer was lost does not lose the race against itself', async () => {
    const job = await jobs.create(newJob());
    loseNextAnswer('UpdateItem');
    const changed = await jobs.change(job, { note: 'mine' });
    expect(await jobs.get(job.id)).toEqual(changed);
  });

  test('a change that came too late is refused, even when the first refusal was lost', async () => {
    const job = await jobs.create(newJob());
    await jobs.change(job, { note: 'theirs' });
    loseNextAnswer('UpdateItem');
    await expect(jobs.change(job, { note: 'mine' })).rejects.toThrow(RaceLost);
  });

  test('an item that is gone cannot be changed, nor one that replaced the one that was read', async () => {
    const gone = await jobs.create(newJob());
    await jobs.delete(gone);
    await expect(jobs.change(gone, { note: 'x' })).rejects.toThrow(RaceLost);
    await expect(jobs.change(gone, { note: 'x' }, { anyVersion: true })).rejects.toThrow(RaceLost);
    expect(await jobs.get(gone.id)).toBeUndefined();

    const replaced = await jobs.create(newJob());
    await jobs.put({ id: replaced.id, state: 'Queued' });
    await expect(jobs.change(replaced, { note: 'x' })).rejects.toThrow(RaceLost);
  });

  test('a field that must hold a value, or must not be there, is checked in the store', async () => {
    const job = await jobs.create(newJob({ note: 'a' }));
    await expect(jobs.change(job, { fence: 1 }, { when: { note: 'b' } })).rejects.toThrow(RaceLost);
    await expect(jobs.change(job, { fence: 1 }, { when: { note: undefined } })).rejects.toThrow(RaceLost);
    const changed = await jobs.change(job, { fence: 1 }, { when: { note: 'a', fence: undefined } });
    expect(changed.fence).toBe(1);
  });

  test('what the due index sees follows the item', async () => {
    const dueOf = async (id: string) => {
      const Key = { pk: { S: `TEST-JOB#${id}` }, sk: { S: 'JOB' } };
      const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName('sandbox'), Key }));
      return [Item?.duePk?.S, Item?.dueAt?.N];
    };
    const job = await jobs.create(newJob({ wakeAtMs: 5 }));
    expect(await dueOf(job.id)).toEqual(['TEST-JOBS', '5']);
    const later = await jobs.change(job, { wakeAtMs: 6 });
    expect(await dueOf(job.id)).toEqual(['TEST-JOBS', '6']);
    await jobs.change(later, { wakeAtMs: undefined });
    expect(await dueOf(job.id)).toEqual([undefined, undefined]);
  });
});

describe('a change of an item that was not read', () => {
  const notQueued = () => new Error('Not queued.');
  const whenQueued = { when: { state: 'Queued' }, refusal: notQueued } as const;

  test('changes the named fields and the version, so that older readers lose the race', async () => {
    const job = await jobs.create(newJob({ note: 'first', fence: 3 }));
    await commit([jobs.patching(job.id, { note: undefined, fence: 4 }, { ...whenQueued, ttl: 9 })]);
    const found = await jobs.get(job.id);
    expect(found).toStrictEqual({ id: job.id, state: 'Queued', fence: 4, version: expect.any(String) });
    await expect(jobs.change(job, { note: 'late' })).rejects.toThrow(RaceLost);
    expect(await ttlOf(job.id)).toBe('9');
  });

  test('keeps the version where others may write their fields still', async () => {
    const job = await jobs.create(newJob());
    await commit([jobs.patching(job.id, { fence: 4 }, { ...whenQueued, keepsVersion: true })]);
    await jobs.change(job, { note: 'in time' });
    expect(await jobs.get(job.id)).toMatchObject({ fence: 4, note: 'in time' });
  });

  test('is refused with the error of its own where the condition is not met, or there is no item', async () => {
    const job = await jobs.create(newJob({ state: 'Done' }));
    for (const id of [job.id, crypto.randomUUID()])
      await expect(commit([jobs.patching(id, { fence: 1 }, whenQueued)])).rejects.toThrow('Not queued.');
    expect(await jobs.get(job.id)).toEqual(job);
  });

  test('is not refused by itself when its answer was lost', async () => {
    const job = await jobs.create(newJob());
    loseNextAnswer('UpdateItem');
    await commit([jobs.patching(job.id, { state: 'Processing' }, whenQueued)]);
    expect(await jobs.get(job.id)).toMatchObject({ state: 'Processing' });
  });

  async function ttlOf(id: string) {
    const Key = { pk: { S: `TEST-JOB#${id}` }, sk: { S: 'JOB' } };
    const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName('sandbox'), Key }));
    return Item?.ttl?.N;
  }
});

describe('delete', () => {
  test('an item that changed since it was read is not deleted', async () => {
    const job = await jobs.create(newJob());
    await jobs.change(job, { note: 'x' });
    await expect(jobs.delete(job)).rejects.toThrow(RaceLost);
    expect(await jobs.get(job.id)).toBeDefined();
  });

  test('a delete whose answer was lost is done', async () => {
    const job = await jobs.create(newJob());
    loseNextAnswer('DeleteItem');
    await jobs.delete(job);
    expect(await jobs.get(job.id)).toBeUndefined();
  });
});

describe('also', () => {
  test('a change and what goes along happen together or not at all', async () => {
    const [job, along] = [await jobs.create(newJob()), newJob()];
    await jobs.change(job, { note: 'x' }, { also: [jobs.creating(along)] });
    expect(await jobs.get(along.id)).toBeDefined();

    const other = newJob();
    await expect(jobs.change(job, { note: 'y' }, { also: [jobs.creating(other)] })).rejects.toThrow(RaceLost);
    expect(await jobs.get(other.id)).toBeUndefined();
    await expect(jobs.create(other, { also: [jobs.creating(along)] })).rejects.toThrow(AlreadyExists);
    expect(await jobs.get(other.id)).toBeUndefined();
  });

  test('an item that must stay as it is goes along without being written', async () => {
    const parent = await jobs.create(newJob());
    const child = await jobs.create(newJob(), { also: [jobs.unchanged(parent)] });
    expect(await jobs.get(parent.id)).toEqual(parent);
    await jobs.change(parent, { note: 'closed' });
    await expect(jobs.delete(child, { also: [jobs.unchanged(parent)] })).rejects.toThrow(RaceLost);
    expect(await jobs.get(child.id)).toEqual(child);
  });

  test('one write alone is a plain one, at half the price of a transaction', async () => {
    const sent = await requestsOf(async () => {
      const job = await jobs.create(newJob());
      const changed = await jobs.change(job, { note: 'x' });
      await jobs.delete(changed, { also: [jobs.creating(newJob())] });
    });
    expect(sent).toEqual({ PutItem: 1, UpdateItem: 1, TransactWriteItems: 1 });
  });

  test('more writes than a transaction takes are refused with their number', async () => {
    const also = Array.from({ length: 100 }, () => jobs.creating(newJob()));
    await expect(jobs.create(newJob(), { also })).rejects.toThrow(
      'One change may write 100 items; this one has 101. Split it into several.',
    );
  });
});

test('getMany: items come in the order of the ids, missing ones are left out, repeats are kept', async () => {
  const made = await Promise.all(Array.from({ length: 130 }, () => jobs.create(newJob())));
  const ids = made.map(({ id }) => id).reverse();
  const requested = [...ids, 'nowhere', ids[0] ?? ''];
  const sent = await requestsOf(async () => {
    const found = await jobs.getMany(requested);
    expect(found.map(({ id }) => id)).toEqual([...ids, ids[0]]);
  });
  expect(sent).toEqual({ BatchGetItem: 2 });
});

test('two items are read in one request, each as undefined where it does not exist', async () => {
  const [job, other] = [await jobs.create(newJob()), await jobs.create(newJob({ note: 'other' }))];
  const none = crypto.randomUUID();
  const read = () => getBoth([jobs, job.id], [jobs, other.id]);
  expect(await requestsOf(read)).toEqual({ BatchGetItem: 1 });
  expect(await read()).toEqual([job, other]);
  expect(await getBoth([jobs, none], [jobs, other.id])).toEqual([undefined, other]);
  expect(await getBoth([jobs, job.id], [jobs, none])).toEqual([job, undefined]);
});

test('removing deletes whatever has the id, and is no error where nothing has it', async () => {
  const job = await jobs.create(newJob());
  await jobs.change(job, { note: 'changed since' });
  await commit([jobs.removing(job.id)]);
  expect(await jobs.get(job.id)).toBeUndefined();
  await commit([jobs.removing(job.id), jobs.creating(newJob())]);
});

test('one commit can hold a hundred items, and amounts for one ledger count once', () => {
  const creations = (count: number) => Array.from({ length: count }, () => jobs.creating(newJob()));
  expect([fitsOneCommit(creations(100)), fitsOneCommit(creations(101))]).toEqual([true, false]);
  const countsOf = (name: string) => [{ node: '', field: name, name }];
  const addition = { table: 't', pk: 'a', amounts: { total: 1 }, countsOf };
  expect(fitsOneCommit([...creations(99), addition, addition])).toBe(true);
});
