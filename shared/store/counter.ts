import { randomInt } from 'node:crypto';
import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { keyAttributes } from './item.ts';
import { retryWhileLocked } from './retry-on-conflict.ts';

type CounterOptions = { readonly service: ServiceName; readonly name: string };

/**
 * Counts by id. Each is one item, and exact under any number of writers. `add` returns the new count.
 * An addition whose answer is lost may be sent twice. A count that must change with another item, and once, is a
 * ledger's.
 * @example const failures = await counter({ service: 'session', name: 'failed-pin' }).add(cpfHash);
 */
export function counter(options: CounterOptions) {
  return {
    read: (id: string): Promise<number> => read(options, id),
    add: (id: string, amount = 1): Promise<number> => addTo(options, id, 0, amount),
  };
}

/**
 * A count that many write at once. One item takes 1,000 writes a second, so the count is spread over several items and
 * summed when it is read, in one query.
 * @example await shardedCounter({ service: 'batch', name: 'metric', shards: 8 }).add('enqueued');
 */
export function shardedCounter({ shards, ...options }: CounterOptions & { readonly shards: number }) {
  return {
    read: (id: string): Promise<number> => read(options, id),
    add: async (id: string, amount = 1): Promise<void> => {
      await addTo(options, id, randomInt(shards), amount);
    },
  };
}

const keyOf = ({ name }: CounterOptions, id: string, shard: number) => ({
  pk: `COUNT#${name}#${id}`,
  sk: `SHARD#${shard}`,
});

async function read(options: CounterOptions, id: string): Promise<number> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(options.service),
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: keyOf(options, id, 0).pk } },
    }),
  );
  return Items.reduce((sum, { total }) => sum + Number(total?.N ?? 0), 0);
}

async function addTo(options: CounterOptions, id: string, shard: number, amount: number): Promise<number> {
  const { Attributes } = await retryWhileLocked(() =>
    dynamo().send(
      new UpdateItemCommand({
        TableName: tableName(options.service),
        Key: keyAttributes(keyOf(options, id, shard)),
        UpdateExpression: 'ADD #total :amount',
        ExpressionAttributeNames: { '#total': 'total' },
        ExpressionAttributeValues: { ':amount': { N: String(amount) } },
        ReturnValues: 'UPDATED_NEW',
      }),
    ),
  );
  return Number(Attributes?.total?.N);
}
