import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import type { Collection, Stored } from './collection.ts';
import type { Attributes } from './item.ts';

export type CursorPage<T> = { readonly items: readonly Stored<T>[]; readonly next?: string };

/** The cursor does not come from this list. */
export type BadCursor = { readonly refused: 'bad-cursor' };

export type CursorQuery = {
  readonly pk: string;
  /** Only items whose sort key begins with it. */
  readonly skPrefix?: string;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string;
  readonly newestFirst?: boolean;
};

// More than any API of Sinete returns at once.
const MAX_PER_PAGE = 1_000;

// DynamoDB's limit for a sort key.
const SORT_KEY_BYTES = 1_024;

const BAD_CURSOR: BadCursor = { refused: 'bad-cursor' };

/**
 * A page of the items under one partition key, in the order of their sort keys. The cursor holds the last
 * sort key alone. A cursor that a caller made up can only start elsewhere in the same list.
 * @example const page = await pageByCursor(notes, { pk: `JOB#${id}`, skPrefix: 'NOTE#', limit: 50, cursor });
 *          if ('refused' in page) throw refuse('CURSOR_INVALID');
 */
export async function pageByCursor<T extends object, Id>(
  items: Collection<T, Id>,
  query: CursorQuery,
): Promise<CursorPage<T> | BadCursor> {
  const limit = Math.min(Math.max(Math.trunc(query.limit) || 1, 1), MAX_PER_PAGE);
  const after = query.cursor === undefined ? undefined : decode(query.cursor, query.skPrefix ?? '');
  if (query.cursor !== undefined && after === undefined) return BAD_CURSOR;

  // One more than requested tells whether there is a next page.
  const rows: Attributes[] = [];
  let start: Attributes | undefined =
    after === undefined ? undefined : { pk: { S: query.pk }, sk: { S: after } };
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new QueryCommand({
        ...request(items, query),
        Limit: limit + 1 - rows.length,
        ExclusiveStartKey: start,
      }),
    );
    rows.push(...Items);
    start = LastEvaluatedKey;
  } while (start && rows.length <= limit);

  const last = rows[limit - 1]?.sk?.S;
  const page = { items: rows.slice(0, limit).map(items.read) };
  return rows.length > limit && last ? { ...page, next: encode(last) } : page;
}

function request<T extends object, Id>(
  { service }: Collection<T, Id>,
  { pk, skPrefix, newestFirst }: CursorQuery,
) {
  return {
    TableName: tableName(service),
    KeyConditionExpression: skPrefix ? 'pk = :pk AND begins_with(sk, :prefix)' : 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk }, ...(skPrefix && { ':prefix': { S: skPrefix } }) },
    ScanIndexForward: !newestFirst,
    ConsistentRead: true,
  };
}

/**
 * The cursor of a page that begins after this sort key, whether there is an item at it or not.
 * @example pageByCursor(entries, { pk, skPrefix: 'ENTRY#', limit: 1_000, cursor: cursorAfter('ENTRY#0042') })
 */
export const cursorAfter = (sk: string): string => encode(sk);

const encode = (sk: string): string => Buffer.from(sk).toString('base64url');

function decode(cursor: string, skPrefix: string): string | undefined {
  const sk = Buffer.from(cursor, 'base64url').toString();
  const isOurs = encode(sk) === cursor && sk.startsWith(skPrefix);
  return isOurs && sk !== '' && Buffer.byteLength(sk) <= SORT_KEY_BYTES ? sk : undefined;
}
