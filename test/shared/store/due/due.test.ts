import { describe, expect, test } from 'vitest';
import { commit } from '../../../../shared/store/commit.ts';
import { canceling, forget, postpone, type Send } from '../../../../shared/store/due/message.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { jobs, newJob } from '../jobs.ts';
import { requestsOf } from '../requests.ts';
import { freshQueue, MINUTE_MS, SERVICE } from './fresh-queue.ts';

describe('a message recorded with a change', () => {
  test('is sent once its time has come, once, with its body whole', async () => {
    const { message, sweep, received } = freshQueue();
    const body = { id: 7, nested: { list: [1, null, 'ação'] } };
    const write = message(body, 5_000);
    await jobs.create(newJob(), { also: [write] });

    await sweep(4_999);
    expect(received).toEqual([]);
    await sweep(5_000);
    expect(received).toEqual([{ body, id: write.message.id }]);
    await sweep(24 * 60 * MINUTE_MS);
    expect(received).toHaveLength(1);
  });

  test('does not exist when the change did not happen', async () => {
    const { message, sweep, received } = freshQueue();
    const job = await jobs.create(newJob());
    await jobs.change(job, { note: 'first' });
    const late = jobs.change(job, { note: 'second' }, { also: [message('second', 0)] });
    await expect(late).rejects.toThrow(RaceLost);
    await sweep(MINUTE_MS);
    expect(received).toEqual([]);
  });

  test('replaces one with the same id that was not sent yet', async () => {
    const { message, sweep, received } = freshQueue();
    await commit([message('early', 1_000, 'the-reminder')]);
    await commit([message('late', 9_000, 'the-reminder')]);
    await sweep(1_000);
    expect(received).toEqual([]);
    await sweep(9_000);
    expect(received).toEqual([{ body: 'late', id: 'the-reminder' }]);
  });

  test('is gone with the change that cancels it, and stays where that change did not happen', async () => {
    const { message, sweep, received } = freshQueue();
    const job = await jobs.create(newJob(), {
      also: [message('a', 0, 'collect:a'), message('b', 0, 'collect:b')],
    });
    await jobs.change(job, { note: 'done' }, { also: [canceling(SERVICE, 'collect:a')] });
    const late = jobs.change(job, { note: 'late' }, { also: [canceling(SERVICE, 'collect:b')] });
    await expect(late).rejects.toThrow(RaceLost);
    await sweep(0);
    expect(received.map(({ body }) => body)).toEqual(['b']);
  });

  test('may be canceled when it does not exist', async () => {
    await expect(commit([canceling(SERVICE, crypto.randomUUID())])).resolves.toBeUndefined();
  });
});

//   sweeper  |--claims--sends--|
//   writer                        |--replaces--|
//   worker                      |--works------------forgets: it is another message now
test('a message that is replaced while it is being done is kept', async () => {
  const { message, sweep, received, sendToNobody, queue } = freshQueue();
  await commit([message('early', 0, 'moving')]);
  const replacing: Send = async (to, messages) => {
    await sendToNobody(to, messages);
    if (to !== queue) return new Map();
    await commit([message('late', 9_000, 'moving')]);
    for (const { record } of messages) await forget({ service: SERVICE, ...record });
    return new Map();
  };
  await sweep(0, replacing);
  await sweep(9_000);
  expect(received.map(({ body }) => body)).toEqual(['early', 'late']);
});

//   writer    |--commits--sends--|
//   worker 1                      |--receives-- killed
//   sweeper                                      |--sends again--|
//   worker 2                                                      |--works--forgets
describe('a message that was sent and not done', () => {
  test('comes again within seconds of its head start, and then not before a minute, two, four', async () => {
    const { sendInVain, sweep, received, sendToNobody } = freshQueue();
    await sendInVain('a');
    const seenAt: number[] = [];
    for (let second = 0; second <= 500; second += 5) {
      const before = received.length;
      await sweep(second * 1_000, sendToNobody);
      if (received.length > before) seenAt.push(second);
    }
    expect(seenAt).toEqual([15, 75, 195, 435]);
    await sweep(1_000_000);
    await sweep(100_000_000);
    expect(received).toHaveLength(6);
  });

  test('waits for as long as the queue that holds it', async () => {
    const { message, sweep, received, at } = freshQueue();
    const write = message('a', 0);
    await commit([write]);
    await postpone(write.message, at(30_000)());
    await sweep(29_999);
    expect(received).toEqual([]);
    await sweep(30_000);
    expect(received).toHaveLength(1);
  });

  test('is given up in the dead-letter queue after eight sends, since it may kill whoever receives it', async () => {
    const { message, sweep, received, buried, sendToNobody } = freshQueue();
    await commit([message('killer', 0)]);
    for (let hour = 0; hour < 20; hour++) await sweep(hour * 90 * MINUTE_MS, sendToNobody);
    expect(received).toHaveLength(8);
    expect(buried).toEqual([{ body: 'killer', sends: 8 }]);
  });

  test('is not given up for sends that failed', async () => {
    const { message, sweep, buried, received, failing } = freshQueue();
    await commit([message('a', 0)]);
    for (let hour = 0; hour < 12; hour++) await sweep(hour * 90 * MINUTE_MS, failing);
    expect((await sweep(13 * 90 * MINUTE_MS)).sent).toBe(1);
    expect(received).toHaveLength(1);
    expect(buried).toEqual([]);
  });
});

describe('the sweeper', () => {
  // sweeper 1..3  |--find--claim--send--forget--|     each message claimed by one of them
  test('in three copies at once sends each of 200 messages once', async () => {
    const { message, sweep, received } = freshQueue();
    for (let i = 0; i < 8; i++) await commit(Array.from({ length: 25 }, (_, n) => message(i * 25 + n, 0)));
    const sweeps = await Promise.all([sweep(1), sweep(1), sweep(1)]);
    expect(received).toHaveLength(200);
    expect(new Set(received.map(({ id }) => id)).size).toBe(200);
    expect(sweeps.every(({ failed }) => failed.length === 0)).toBe(true);
  });

  // sweeper 1  |--claims--sends-- killed
  // sweeper 2             |--claim refused     (a minute later) |--claims--sends--forgets
  test('that is killed after a send leads to a repeat with the same id, not to a loss', async () => {
    const { message, sweep, received, queue, sendToNobody } = freshQueue();
    await commit([message('a', 0)]);
    const sentAndKilled = Promise.withResolvers<void>();
    const dying: Send = async (to, messages) => {
      await sendToNobody(to, messages);
      if (to !== queue) return new Map();
      sentAndKilled.resolve();
      return new Promise(() => undefined);
    };
    void sweep(0, dying);
    await sentAndKilled.promise;
    await sweep(59_999);
    expect(received).toHaveLength(1);
    await sweep(MINUTE_MS);
    expect(received).toHaveLength(2);
    expect(received[0]).toEqual(received[1]);
    await sweep(600 * MINUTE_MS);
    expect(received).toHaveLength(2);
  });

  test('tells what it could not send and tries again, waiting twice as long each time', async () => {
    const { message, sweep, queue, received, failing } = freshQueue();
    const write = message('a', 0);
    await commit([write]);
    const first = await sweep(0, failing);
    expect(first.failed).toEqual([{ id: write.message.id, queue, error: new Error('queue gone') }]);
    expect((await sweep(MINUTE_MS - 1, failing)).failed).toEqual([]);
    expect((await sweep(MINUTE_MS, failing)).failed).toHaveLength(1);
    expect((await sweep(2 * MINUTE_MS, failing)).failed).toEqual([]);
    expect((await sweep(3 * MINUTE_MS)).sent).toBe(1);
    expect(received).toHaveLength(1);
  });

  test('that finds nothing costs one query a partition: four of work and four of garbage', async () => {
    const { sweep } = freshQueue();
    await sweep(0);
    const sent = await requestsOf(() => sweep(0));
    expect(sent).toEqual({ Query: 8 });
  });
});
