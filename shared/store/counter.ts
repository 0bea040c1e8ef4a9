import { randomInt } from 'node:crypto';
import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { retryConflicts } from './commit.ts';
import { keyAttributes } from './item.ts';
import type { Write } from './write.ts';

type Named = { readonly service: ServiceName; readonly name: string };

/**
 * Counts by id, each exact under any number of writers and each one item. `add` tells the count after it.
 * An addition whose answer is lost may be sent twice; `adding`, committed with another write, counts once.
 * @example const failures = await counter({ service: 'session', name: 'failed-pin' }).add(cpfHash);
 */
export function counter(named: Named) {
  return {
    ...shards(named, 1),
    add: (id: string, amount = 1): Promise<number> => addTo(named, id, 0, amount),
  };
}

/**
 * The same for a count that many write at once: one item takes 1,000 writes a second, half of that in
 * transactions, so the count is spread over several and summed when it is read, in one query.
 * @example await shardedCounter({ service: 'batch', name: 'metric', shards: 8 }).add('enqueued');
 */
export function shardedCounter({ shards: count, ...named }: Named & { readonly shards: number }) {
  return {
    ...shards(named, count),
    add: async (id: string, amount = 1): Promise<void> => {
      await addTo(named, id, randomInt(count), amount);
    },
  };
}

const keyOf = ({ name }: Named, id: string, shard: number) => ({
  pk: `COUNT#${name}#${id}`,
  sk: `SHARD#${shard}`,
});

const shards = (named: Named, count: number) => ({
  /** The addition as a value, to happen with the change that it counts. */
  adding: (id: string, amount = 1): Write => ({
    table: tableName(named.service),
    key: keyOf(named, id, randomInt(count)),
    amounts: { total: amount },
  }),

  async read(id: string): Promise<number> {
    const { Items = [] } = await dynamo().send(
      new QueryCommand({
        TableName: tableName(named.service),
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: keyOf(named, id, 0).pk } },
      }),
    );
    return Items.reduce((sum, { total }) => sum + Number(total?.N ?? 0), 0);
  },
});

async function addTo(named: Named, id: string, shard: number, amount: number): Promise<number> {
  const { Attributes } = await retryConflicts(() =>
    dynamo().send(
      new UpdateItemCommand({
        TableName: tableName(named.service),
        Key: keyAttributes(keyOf(named, id, shard)),
        UpdateExpression: 'ADD #total :amount',
        ExpressionAttributeNames: { '#total': 'total' },
        ExpressionAttributeValues: { ':amount': { N: String(amount) } },
        ReturnValues: 'UPDATED_NEW',
      }),
    ),
  );
  return Number(Attributes?.total?.N);
}
