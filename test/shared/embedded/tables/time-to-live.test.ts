import { DescribeTimeToLiveCommand, PutItemCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { key, put, started, TABLE } from './started.ts';

const NOW_SECONDS = 1_800_000_000;
const expiringAt = (pk: string, seconds: number) => ({ ...key(pk), ttl: { N: String(seconds) } });

async function collecting() {
  const clock = { seconds: NOW_SECONDS };
  const store = await started({ now: () => clock.seconds * 1000 });
  const enable = (Enabled: boolean) =>
    store.client.send(
      new UpdateTimeToLiveCommand({
        TableName: TABLE,
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled },
      }),
    );
  const add = (Item: ReturnType<typeof expiringAt>) =>
    store.client.send(new PutItemCommand({ TableName: TABLE, Item }));
  return { ...store, clock, enable, add };
}

test('an item is collected once its second has passed, and its index entry with it', async () => {
  const { clock, enable, add, get, due, tables } = await collecting();
  await enable(true);
  await add({ ...expiringAt('soon', NOW_SECONDS + 10), duePk: { S: 'today' } } as ReturnType<
    typeof expiringAt
  >);
  await add(expiringAt('later', NOW_SECONDS + 100));
  clock.seconds += 10;
  expect(await tables.collectExpired()).toBe(0);
  clock.seconds += 1;
  expect(await tables.collectExpired()).toBe(1);
  expect(await get('soon')).toBeUndefined();
  expect(await due('today')).toEqual([]);
  expect(await get('later')).toBeDefined();
});

test('an item with no time, with text for a time, or with one of more than five years ago stays', async () => {
  const { enable, add, client, tables } = await collecting();
  await enable(true);
  await client.send(new PutItemCommand({ TableName: TABLE, Item: key('none') }));
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('text'), ttl: { S: '1' } } }));
  await add(expiringAt('ancient', NOW_SECONDS - 6 * 365 * 24 * 3600));
  expect(await tables.collectExpired()).toBe(0);
});

test('nothing is collected where expiry is not enabled, or no longer', async () => {
  const { enable, add, get, tables } = await collecting();
  await add(expiringAt('old', NOW_SECONDS - 1));
  expect(await tables.collectExpired()).toBe(0);
  await enable(true);
  await enable(false);
  expect(await tables.collectExpired()).toBe(0);
  expect(await get('old')).toBeDefined();
});

test('expiry is described as it was set, and cannot be enabled twice', async () => {
  const { client, enable } = await collecting();
  const describe = async () =>
    (await client.send(new DescribeTimeToLiveCommand({ TableName: TABLE }))).TimeToLiveDescription;
  expect(await describe()).toEqual({ TimeToLiveStatus: 'DISABLED' });
  await enable(true);
  expect(await describe()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
  await expect(enable(true)).rejects.toThrow('already enabled');
});

test('collecting forgets old request tokens and keeps the fresh', async () => {
  const { clock, transact, tables } = await collecting();
  await transact([put('a')], 'old');
  clock.seconds += 1;
  await transact([put('a')], 'fresh');
  clock.seconds = NOW_SECONDS + 600;
  await tables.collectExpired();
  // Back in time both would still be known, had they been kept.
  clock.seconds = NOW_SECONDS + 1;
  await transact([put('b')], 'old');
  await expect(transact([put('b')], 'fresh')).rejects.toThrow('already made');
});
