import { randomUUID } from 'node:crypto';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dynamo } from '../../../../shared/store/client.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { DUE_MESSAGES, type Send } from '../../../../shared/store/due/message.ts';
import type { ItemWrite } from '../../../../shared/store/write.ts';
import { useOwnTable } from '../../queue/own-table.ts';
import { requestsOf } from '../requests.ts';
import { freshQueue, MINUTE_MS, SERVICE } from './fresh-queue.ts';

// A stage, and so a table, of each test's own: a sweep takes whatever is due in its table.
beforeEach(() => useOwnTable(SERVICE));
afterAll(() => {
  vi.unstubAllEnvs();
});

async function recordAll(writes: readonly ItemWrite[]): Promise<void> {
  for (let from = 0; from < writes.length; from += 100) await commit(writes.slice(from, from + 100));
}
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
/** Time for so many batches. */
const timeFor = (batches: number) => () => batches-- > 0;

describe('a sweep', () => {
  test('sends ten messages of a queue in one call, and claims each by one write', async () => {
    const { message, sweep, sendToNobody, batches } = freshQueue();
    await recordAll(times(200, (n) => message(n, 0)));
    const sent = await requestsOf(() => sweep(0, sendToNobody));
    expect(batches).toEqual(times(20, () => 10));
    expect(sent).toEqual({ UpdateItem: 200, Query: 8 });
  });

  test('goes on past the first page of a partition, until nothing is due', async () => {
    const { message, sweep, received } = freshQueue();
    const { of, all } = DUE_MESSAGES.work;
    const ids = times(1_200, (n) => `task:${n}`).filter((id) => of(id) === all[2]);
    await recordAll(ids.map((id) => message(id, 0, id)));
    expect(await sweep(0)).toMatchObject({ sent: ids.length, more: false });
    expect(ids.length).toBeGreaterThan(250);
    expect(received.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  });

  test('sends the oldest first', async () => {
    const { message, sweep, received } = freshQueue();
    const ages = times(100, (n) => (n * 37) % 100);
    await recordAll(ages.map((age) => message(age, age)));
    await sweep(1_000, undefined, { hasTime: timeFor(3) });
    expect(received.map(({ body }) => body).sort((a, b) => Number(a) - Number(b))).toEqual(
      times(30, (n) => n),
    );
  });

  test('that runs out of time says so, and loses nothing: the next ones send the rest, each message once', async () => {
    const { message, sweep, received } = freshQueue();
    await recordAll(times(300, (n) => message(n, 0)));
    const first = await sweep(0, undefined, { hasTime: timeFor(7) });
    expect(first).toMatchObject({ sent: 70, more: true });
    expect(await sweep(0, undefined, { hasTime: timeFor(0) })).toMatchObject({ sent: 0, more: true });
    expect(await sweep(0)).toMatchObject({ sent: 230, more: false });
    expect(received).toHaveLength(300);
    expect(new Set(received.map(({ id }) => id)).size).toBe(300);
  });
});

describe('garbage, 100 times as much as work and older', () => {
  const recordBoth = async ({ message }: ReturnType<typeof freshQueue>) => {
    await recordAll(times(400, (n) => message({ garbage: n }, 0, undefined, 'garbage')));
    await recordAll(times(4, (n) => message({ work: n }, MINUTE_MS)));
  };
  const kindOf = ({ body }: { body: unknown }) => Object.keys(body as object)[0];

  test('is sent after the last of the work', async () => {
    const queue = freshQueue();
    await recordBoth(queue);
    await queue.sweep(MINUTE_MS);
    const kinds = queue.received.map(kindOf);
    expect(kinds.slice(0, 4)).toEqual(times(4, () => 'work'));
    expect(kinds).toHaveLength(404);
  });

  test('takes only the time that work leaves, and is still due afterwards', async () => {
    const queue = freshQueue();
    await recordBoth(queue);
    expect(await queue.sweep(MINUTE_MS, undefined, { hasTime: timeFor(2) })).toMatchObject({ more: true });
    const kinds = Object.groupBy(queue.received, (each) => kindOf(each) ?? '');
    expect([kinds.work?.length, kinds.garbage?.length]).toEqual([4, 10]);
    expect(await queue.sweep(MINUTE_MS)).toMatchObject({ sent: 390, more: false });
  });
});

describe('several sweeps at once', () => {
  test('that divide the partitions send each message once, and claim none in vain', async () => {
    const { message, sweep, received } = freshQueue();
    await recordAll(times(400, (n) => message(n, 0)));
    const requests = await requestsOf(() =>
      Promise.all(times(4, (share) => sweep(0, undefined, { share: { share, of: 4 } }))),
    );
    expect(new Set(received.map(({ body }) => body)).size).toBe(400);
    expect(received).toHaveLength(400);
    expect(requests.UpdateItem).toBe(400);
  });

  test('that overlap, because the one before takes longer than a minute, send each message once', async () => {
    const { message, sweep, received } = freshQueue();
    await recordAll(times(400, (n) => message(n, 0)));
    await Promise.all([sweep(0), sweep(0, undefined, { hasTime: timeFor(9) }), sweep(0)]);
    expect(received).toHaveLength(400);
    expect(new Set(received.map(({ body }) => body)).size).toBe(400);
  });
});

test('work and garbage are spread over four partitions each, and a record is in one of them by its id', () => {
  const { message } = freshQueue();
  const partitionOf = (write: ItemWrite) => write.item.Put?.Item?.duePk?.S ?? '';
  for (const kind of ['work', 'garbage'] as const) {
    const found = times(1_600, (n) => partitionOf(message(n, 0, `upload:${n}`, kind)));
    const counts = DUE_MESSAGES[kind].all.map((name) => found.filter((each) => each === name).length);
    expect(counts).toHaveLength(4);
    expect(Math.min(...counts)).toBeGreaterThan(320);
    expect(Math.max(...counts)).toBeLessThan(480);
  }
  expect(partitionOf(message('a', 0, 'same'))).toBe(partitionOf(message('b', 9, 'same')));
});

describe('one message that fails', () => {
  test('to be sent holds up no other of its batch', async () => {
    const { message, sweep, send, queue, received } = freshQueue();
    await recordAll(times(10, (n) => message(n, 0)));
    const refusingThird: Send = async (to, messages) => {
      if (to !== queue) return new Map();
      const third = messages.findIndex(({ body }) => body === 3);
      await send(to, messages.toSpliced(third, 1));
      return new Map([[third, new Error('refused')]]);
    };
    const { sent, failed } = await sweep(0, refusingThird);
    expect([sent, failed.map(({ error }) => error)]).toEqual([9, [new Error('refused')]]);
    await sweep(MINUTE_MS);
    expect(received.map(({ body }) => body).at(-1)).toBe(3);
    expect(received).toHaveLength(10);
  });

  // writer   |--transaction: cancels its message -------- fails --|
  // sweeper             |--claim: TransactionConflict               |--(next minute) claims--sends
  test.each([
    [
      'because a transaction holds it, is still due',
      new TransactionConflictException({ message: '', $metadata: {} }),
      0,
    ],
    ['because the table is throttled, is still due and is told', new Error('throttled'), 1],
  ])('to be claimed, %s', async (_, error, told) => {
    const { message, sweep, received } = freshQueue();
    await recordAll(times(10, (n) => message(n, 0)));
    failNextUpdate(error);
    const { sent, failed } = await sweep(0);
    expect([sent, failed.length]).toEqual([9, told]);
    await sweep(0);
    expect(received).toHaveLength(10);
  });
});

function failNextUpdate(error: Error): void {
  const name = `fail-${randomUUID()}`;
  dynamo().middlewareStack.add(
    (next, context) => (args) => {
      if (context.commandName !== 'UpdateItemCommand') return next(args);
      dynamo().middlewareStack.remove(name);
      throw error;
    },
    { step: 'initialize', name },
  );
}

//   writer    |--commits--sends--|
//   worker 1                      |--receives-- killed        SQS hides its message for minutes
//   sweeper       |phase                     |phase + 1 min
//   worker 2                                  |--receives
test('the work of a killed worker is in hand again within 75 s, whenever the sweeper runs', async () => {
  for (const phaseMs of [0, 1, 14_999, 15_000, 15_001, 30_000, 59_999]) {
    const { sendInVain, sweep, received, sendToNobody } = freshQueue();
    await sendInVain('a');
    let nowMs = phaseMs;
    for (; received.length < 2; nowMs += MINUTE_MS) await sweep(nowMs, sendToNobody);
    expect(nowMs - MINUTE_MS).toBeLessThanOrEqual(75_000);
  }
});
