import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import type { Collection, Stored } from '../collection.ts';

// The work of a scheduled task in its minute. The rest is still due when the task runs again.
const LIMIT = 200;

/**
 * The items of one partition of the due index whose time has come, longest due first. The index may be a moment behind
 * the table, so a change that follows must expect the item's version.
 * @example for (const verdict of await dueItems(verdicts, { duePk: 'VERDICTS', nowMs })) await renew(verdict);
 */
export async function dueItems<T extends object, Id>(
  items: Collection<T, Id>,
  { duePk, nowMs }: { readonly duePk: string; readonly nowMs: number },
): Promise<Stored<T>[]> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(items.service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :duePk AND dueAt <= :now',
      ExpressionAttributeValues: { ':duePk': { S: duePk }, ':now': { N: String(nowMs) } },
      Limit: LIMIT,
    }),
  );
  return Items.map(items.read);
}
