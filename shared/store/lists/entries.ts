import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import { endOfMinute, MINUTE_LENGTH, type Position } from './count-tree.ts';

// An entry is only a key, the time and the id: 2026-11-14T02:05:33.123Z#id
const TIME_LENGTH = 24;

type List = { readonly service: ServiceName; readonly pk: string };

export const entryKey = (iso: string, id: string): string => `${iso}#${id}`;
const idOf = (sk: string): string => sk.slice(TIME_LENGTH + 1);

/** The ids from a position on, newest first. */
export async function idsAt(list: List, { before, skip }: Position, count: number): Promise<string[]> {
  const ids: string[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await query(
      list,
      'sk < :before',
      { ':before': { S: before } },
      {
        ScanIndexForward: false,
        Limit: skip + count - ids.length,
        ExclusiveStartKey: start,
      },
    );
    ids.push(...Items.map(({ sk }) => idOf(sk?.S ?? '')));
    start = LastEvaluatedKey;
  } while (start && ids.length < skip + count);
  return ids.slice(skip);
}

/** The next entries in either order, from the start or after a given key. */
export async function entriesAfter(
  list: List,
  { after, oldestFirst = false, limit }: { after?: string | undefined; oldestFirst?: boolean; limit: number },
): Promise<{ readonly id: string; readonly place: string }[]> {
  const keys: string[] = [];
  // These are before and after every key.
  const from = after ?? (oldestFirst ? ' ' : '~');
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await query(
      list,
      `sk ${oldestFirst ? '>' : '<'} :from`,
      { ':from': { S: from } },
      { ScanIndexForward: oldestFirst, Limit: limit - keys.length, ExclusiveStartKey: start },
    );
    keys.push(...Items.map(({ sk }) => sk?.S ?? ''));
    start = LastEvaluatedKey;
  } while (start && keys.length < limit);
  return keys.map((place) => ({ id: idOf(place), place }));
}

/** The number of entries from this time to the end of its minute. */
export async function countInMinuteFrom(list: List, iso: string): Promise<number> {
  let count = 0;
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    // Neither bound can be an entry's key: a key has an id.
    const bounds = { ':from': { S: iso }, ':end': { S: endOfMinute(iso.slice(0, MINUTE_LENGTH)) } };
    const answer = await query(list, 'sk BETWEEN :from AND :end', bounds, {
      Select: 'COUNT',
      ExclusiveStartKey: start,
    });
    count += answer.Count ?? 0;
    start = answer.LastEvaluatedKey;
  } while (start);
  return count;
}

const query = (
  { service, pk }: List,
  bounds: string,
  values: QueryCommandInput['ExpressionAttributeValues'],
  options: Partial<QueryCommandInput>,
) =>
  dynamo().send(
    new QueryCommand({
      TableName: tableName(service),
      ConsistentRead: true,
      KeyConditionExpression: `pk = :pk AND ${bounds}`,
      ExpressionAttributeValues: { ':pk': { S: pk }, ...values },
      ...options,
    }),
  );
