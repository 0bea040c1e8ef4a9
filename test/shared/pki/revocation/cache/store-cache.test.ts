import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { layerCaches, memoryCache } from '../../../../../shared/pki/revocation/cache/cache.ts';
import { storeCache } from '../../../../../shared/pki/revocation/cache/store-cache.ts';
import { tableName } from '../../../../../shared/settings/names.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { useOwnStores } from '../../../../stores/own-stores.ts';

await forFile(useOwnStores('plain'));

const newKey = (): string => `crl http://crl.example/${randomUUID()}.crl`;
const answer = (size: number, thisUpdateMs = 1_000, nextUpdateMs = 2_000) => ({
  bytes: randomBytes(size),
  thisUpdateMs,
  nextUpdateMs,
});

describe('the cache in the table', () => {
  test.each([0, 1, 380_000, 380_001, 1_500_000])('gives back %i bytes as they were', async (size) => {
    const [key, kept] = [newKey(), answer(size)];
    await storeCache('session').put(key, kept);
    expect(await storeCache('session').get(key)).toEqual(kept);
  });

  test('gives the last one that was put', async () => {
    const key = newKey();
    const cache = storeCache('session');
    await cache.put(key, answer(900_000));
    const last = answer(10);
    await cache.put(key, last);
    expect(await cache.get(key)).toEqual(last);
  });

  test('has nothing by a key that nobody put, nor for another service', async () => {
    const key = newKey();
    await storeCache('session').put(key, answer(10));
    expect(await storeCache('session').get(newKey())).toBeUndefined();
    expect(await storeCache('hub').get(key)).toBeUndefined();
  });

  test('has nothing when a part of it is gone', async () => {
    const key = newKey();
    const cache = storeCache('session');
    await cache.put(key, answer(800_000));
    const TableName = tableName('session');
    const pk = `revocation#${createHash('sha256').update(key).digest('hex')}`;
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    };
    const { Items = [] } = await dynamo().send(new QueryCommand(query));
    const part = Items.find(({ sk }) => sk?.S?.startsWith('part#'));
    expect(Items).toHaveLength(4);
    expect(part?.ttl?.N).toBe(String(2 + 30 * 86_400));
    await dynamo().send(
      new DeleteItemCommand({ TableName, Key: { pk: { S: pk }, sk: part?.sk ?? { S: '' } } }),
    );
    expect(await cache.get(key)).toBeUndefined();
  });

  test('does not keep what is too large for it', async () => {
    const key = newKey();
    await storeCache('session').put(key, answer(12_000_001));
    expect(await storeCache('session').get(key)).toBeUndefined();
  });
});

describe('a cache in front of another', () => {
  test('is asked first, and the one behind it only for what is past its time', async () => {
    const [near, far] = [memoryCache(), memoryCache()];
    let nowMs = 1_500;
    const cache = layerCaches(near, far, () => nowMs);
    await cache.put('a', answer(1));
    const newer = answer(2, 1_600, 3_000);
    await far.put('a', newer);
    expect((await cache.get('a'))?.bytes).toHaveLength(1);
    nowMs = 2_000;
    expect(await cache.get('a')).toEqual(newer);
    expect(await near.get('a')).toEqual(newer);
  });

  test('keeps what it has when the one behind has nothing newer', async () => {
    const near = memoryCache();
    const cache = layerCaches(near, memoryCache(), () => 9_000);
    const old = answer(1);
    await near.put('a', old);
    expect(await cache.get('a')).toEqual(old);
  });

  test('does not hide what the one behind has by data from the future', async () => {
    const [near, far] = [memoryCache(), memoryCache()];
    const cache = layerCaches(near, far, () => 9_000);
    const hourMs = 3_600_000;
    await near.put('a', answer(1, hourMs, 2 * hourMs));
    await far.put('a', answer(2, 8_000, 10_000));
    expect((await cache.get('a'))?.bytes).toHaveLength(2);
    await far.put('b', answer(3, hourMs, 2 * hourMs));
    expect(await cache.get('b')).toBeUndefined();
  });
});
