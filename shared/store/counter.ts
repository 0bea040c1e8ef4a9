import { randomInt } from 'node:crypto';
import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { retryWhileLocked } from './commit.ts';
import { keyAttributes } from './item.ts';
import type { Write } from './write.ts';

type CounterOptions = { readonly service: ServiceName; readonly name: string };

/**
 * Counts by id. Each is one item, and exact under any number of writers. `add` returns the new count.
 * An addition whose answer is lost may be sent twice; `adding`, committed with another write, counts once.
 * @example const failures = await counter({ service: 'session', name: 'failed-pin' }).add(cpfHash);
 */
export function counter(options: CounterOptions) {
  return {
    ...shards(options, 1),
    add: (id: string, amount = 1): Promise<number> => addTo(options, id, 0, amount),
  };
}

/**
 * A count that many write at once. One item takes 1,000 writes a second, half of that in transactions, so the count is
 * spread over several items and summed when it is read, in one query.
 * @example await shardedCounter({ service: 'batch', name: 'metric', shards: 8 }).add('enqueued');
 */
export function shardedCounter({ shards: count, ...options }: CounterOptions & { readonly shards: number }) {
  return {
    ...shards(options, count),
    add: async (id: string, amount = 1): Promise<void> => {
      await addTo(options, id, randomInt(count), amount);
    },
  };
}

const keyOf = ({ name }: CounterOptions, id: string, shard: number) => ({
  pk: `COUNT#${name}#${id}`,
  sk: `SHARD#${shard}`,
});

const shards = (options: CounterOptions, count: number) => ({
  /** The addition as a value, for the commit of the change that it counts. */
  adding: (id: string, amount = 1): Write => ({
    table: tableName(options.service),
    key: keyOf(options, id, randomInt(count)),
    amounts: { total: amount },
  }),

  async read(id: string): Promise<number> {
    const { Items = [] } = await dynamo().send(
      new QueryCommand({
        TableName: tableName(options.service),
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: keyOf(options, id, 0).pk } },
      }),
    );
    return Items.reduce((sum, { total }) => sum + Number(total?.N ?? 0), 0);
  },
});

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
