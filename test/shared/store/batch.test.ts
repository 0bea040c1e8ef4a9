import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { getBatch } from '../../../shared/store/collection.ts';
import { keyAttributes } from '../../../shared/store/item.ts';

// The embedded tables never leave a part of a batch of reads for later.
const store = mockClient(DynamoDBClient);
afterEach(() => store.reset());
afterAll(() => store.restore());

const [a, b] = [keyAttributes({ pk: 'a', sk: 'x' }), keyAttributes({ pk: 'b', sk: 'x' })];
const keys = ['a', 'b'].map((pk) => ({ pk, sk: 'x' }));

test('items that a throttled table left out of a batch are requested again', async () => {
  store
    .on(BatchGetItemCommand)
    .resolvesOnce({ Responses: { table: [a] }, UnprocessedKeys: { table: { Keys: [b] } } })
    .resolves({ Responses: { table: [b] } });
  expect(await getBatch('table', keys)).toEqual([a, b]);
  expect(store.commandCalls(BatchGetItemCommand)[1]?.args[0].input.RequestItems?.table?.Keys).toEqual([b]);
});

test('a table that stays throttled is an error, never a short answer', async () => {
  store.on(BatchGetItemCommand).resolves({ UnprocessedKeys: { table: { Keys: [a, b] } } });
  await expect(getBatch('table', keys)).rejects.toThrow('2 of 2 items were not read');
});

test('a key given twice is requested once, since DynamoDB refuses repeats', async () => {
  store.on(BatchGetItemCommand).resolves({ Responses: { table: [a] } });
  await getBatch('table', [...keys, ...keys]);
  expect(store.commandCalls(BatchGetItemCommand)[0]?.args[0].input.RequestItems?.table?.Keys).toHaveLength(2);
});
