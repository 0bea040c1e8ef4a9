import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { recentLog } from '../../../shared/store/recent-log.ts';

const WINDOW_MS = 60_000;
const LEASE_MS = 15_000;
const log = recentLog({ service: 'sandbox', name: 'test', windowMs: () => WINDOW_MS, leaseMs: LEASE_MS });
const start = Date.now();
const note = (subject: string, nowMs = start) => log.note(subject, nowMs);
const settleAt = async (subject: string, nowMs: number, as: 'counted' | 'withdrawn' = 'counted') =>
  (await note(subject, nowMs)).settle(as, nowMs);
const countedAt = async (subject: string, nowMs: number): Promise<number> => {
  const entry = await note(subject, nowMs);
  const { counted } = await entry.before(nowMs);
  await entry.settle('withdrawn', nowMs);
  return counted;
};

async function attributesOf(subject: string): Promise<string[]> {
  const Key = { pk: { S: `RECENT#test#${subject}` }, sk: { S: 'LOG' } };
  const { Item = {} } = await dynamo().send(new GetItemCommand({ TableName: tableName('sandbox'), Key }));
  return Object.keys(Item).filter((name) => name.includes(':'));
}

describe('what happened lately', () => {
  test('counts what stands before an entry: open until it is settled, and not once it is withdrawn', async () => {
    const subject = randomUUID();
    const [first, second, third] = [await note(subject), await note(subject), await note(subject)];
    expect(await third.before(start)).toEqual({ counted: 0, open: 2 });
    await first.settle('counted', start);
    await second.settle('withdrawn', start);
    expect(await third.before(start)).toEqual({ counted: 1, open: 0 });
  });

  test('is forgotten one by one as the oldest leave the window', async () => {
    const subject = randomUUID();
    for (const at of [0, 10_000, 20_000]) await settleAt(subject, start + at);
    const counts = [];
    for (const at of [59_999, 60_001, 70_001]) counts.push(await countedAt(subject, start + at));
    expect(counts).toEqual([3, 2, 1]);
  });

  test('has one order for a crowd: of fifty at once, exactly five find fewer than five before them', async () => {
    const subject = randomUUID();
    const all = await Promise.all(Array.from({ length: 50 }, () => note(subject)));
    const places = await Promise.all(all.map(async (entry) => (await entry.before(start)).open));
    expect(places.filter((place) => place < 5)).toHaveLength(5);
  });

  // four wrong   |--count--|
  // one slow          |--open------------------------------------------------ wrong: counts too --|
  // a crowd              |--takes a place each, far more than are kept of those that count--|
  test('keeps every entry that counts in its window, however many come after it', async () => {
    const subject = randomUUID();
    for (let n = 0; n < 4; n++) await settleAt(subject, start);
    const slow = await note(subject);
    // All at once would be more than DynamoDB writes to one item in a second.
    for (let n = 0; n < 21; n++) await Promise.all(Array.from({ length: 10 }, () => note(subject)));
    await slow.settle('counted', start);
    expect(await countedAt(subject, start + WINDOW_MS - 1)).toBe(5);
  });

  test('stays small however many count, and keeps the newest hundred of them', async () => {
    const subject = randomUUID();
    for (let n = 0; n < 202; n++) await settleAt(subject, start + n);
    await settleAt(subject, start + 202);
    expect((await attributesOf(subject)).length).toBeLessThan(110);
    expect(await countedAt(subject, start + 202 + WINDOW_MS - 50)).toBe(50);
  });

  //   killed   |--note--  (nobody looks any more)
  //   next            |--finds it open--|          a lease later: finds nothing, and the item is clean
  test('an entry whose process was killed is in nobody’s way after its lease', async () => {
    const subject = randomUUID();
    const [killed, alive] = [await note(subject), await note(subject)];
    void killed;
    await alive.before(start);
    const later = start + LEASE_MS + 1;
    await alive.before(later);
    const next = await note(subject, later);
    expect(await next.before(later)).toEqual({ counted: 0, open: 1 });
    await alive.settle('withdrawn', later);
    await next.settle('withdrawn', later);
    expect(await attributesOf(subject)).toEqual([]);
  });

  test('one that is looked at after it was settled is not open again', async () => {
    const subject = randomUUID();
    const settled = await note(subject);
    await settled.before(start);
    await settled.settle('withdrawn', start);
    await settled.before(start);
    expect(await (await note(subject)).before(start)).toEqual({ counted: 0, open: 0 });
  });
});
