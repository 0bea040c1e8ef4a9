import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import type { Collection, Stored } from '../collection.ts';

// What a scheduled task does in its minute; the rest is still due when it comes again.
const MAX_AT_ONCE = 200;

/**
 * The items of one partition of the due index whose time has come, longest due first. The index may be a moment
 * behind the table, so a change that follows rests on the item's own version.
 * @example for (const verdict of await dueItems(verdicts, { duePk: 'VERDICTS', nowMs: now() })) await renew(verdict);
 */
export async function dueItems<T extends object, Id>(
  items: Collection<T, Id>,
  {
    duePk,
    nowMs,
    most = MAX_AT_ONCE,
  }: { readonly duePk: string; readonly nowMs: number; readonly most?: number },
): Promise<Stored<T>[]> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(items.service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :duePk AND dueAt <= :now',
      ExpressionAttributeValues: { ':duePk': { S: duePk }, ':now': { N: String(nowMs) } },
      Limit: most,
    }),
  );
  return Items.map(items.read);
}
