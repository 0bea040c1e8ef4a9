import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import type { Collection, Stored } from './collection.ts';
import type { Attributes } from './item.ts';

/** Items under one partition key, in the order of their sort keys. */
export type ItemQuery = {
  readonly pk: string;
  /** Only items whose sort key begins with it. */
  readonly skPrefix?: string;
  /** Only items after this sort key, whether there is an item at it or not. */
  readonly after?: string | undefined;
  readonly newestFirst?: boolean;
};

export type CursorPage<T> = { readonly items: readonly Stored<T>[]; readonly next?: string };

/** The cursor does not come from this list. */
export type BadCursor = { readonly refused: 'bad-cursor' };

export type CursorQuery = Omit<ItemQuery, 'after'> & {
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
};

// More than any API of Sinete returns at once.
const MAX_PER_PAGE = 1_000;

// DynamoDB's limit for a sort key.
const SORT_KEY_BYTES = 1_024;

const BAD_CURSOR: BadCursor = { refused: 'bad-cursor' };

/**
 * All items of a query, in pages of at most so many.
 * @example for await (const page of pagesOf(roster, { pk: ROSTER })) yield* await agents.getMany(page.map(({ id }) => id));
 */
export async function* pagesOf<T extends object, Id>(
  items: Collection<T, Id>,
  { pk, skPrefix, after, newestFirst }: ItemQuery,
  pageSize = MAX_PER_PAGE,
): AsyncGenerator<Stored<T>[]> {
  let start: Attributes | undefined = after === undefined ? undefined : { pk: { S: pk }, sk: { S: after } };
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new QueryCommand({
        TableName: tableName(items.service),
        KeyConditionExpression: skPrefix ? 'pk = :pk AND begins_with(sk, :prefix)' : 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk }, ...(skPrefix && { ':prefix': { S: skPrefix } }) },
        ScanIndexForward: !newestFirst,
        ConsistentRead: true,
        Limit: pageSize,
        ExclusiveStartKey: start,
      }),
    );
    yield Items.map(items.read);
    start = LastEvaluatedKey;
  } while (start);
}

/** All items of a query, one by one. @example for await (const { face } of eachItem(subjects, { pk })) … */
export async function* eachItem<T extends object, Id>(
  items: Collection<T, Id>,
  query: ItemQuery,
  pageSize?: number,
): AsyncGenerator<Stored<T>> {
  for await (const page of pagesOf(items, query, pageSize)) yield* page;
}

/** The first items of a query. @example const newest = await firstItems(mails, { pk, newestFirst: true }, 50); */
export async function firstItems<T extends object, Id>(
  items: Collection<T, Id>,
  query: ItemQuery,
  limit: number,
): Promise<Stored<T>[]> {
  const found: Stored<T>[] = [];
  for await (const page of pagesOf(items, query, Math.min(limit, MAX_PER_PAGE))) {
    found.push(...page.slice(0, limit - found.length));
    if (found.length === limit) break;
  }
  return found;
}

/**
 * A page of a query for a caller. The cursor holds the last sort key alone. A cursor that a caller made up can only
 * start elsewhere in the same list.
 * @example const page = await pageByCursor(notes, { pk: `JOB#${id}`, skPrefix: 'NOTE#', limit: 50, cursor });
 *          if ('refused' in page) throw refuse('CURSOR_INVALID');
 */
export async function pageByCursor<T extends object, Id>(
  items: Collection<T, Id>,
  { limit: asked, cursor, ...query }: CursorQuery,
): Promise<CursorPage<T> | BadCursor> {
  const limit = Math.min(Math.max(Math.trunc(asked) || 1, 1), MAX_PER_PAGE);
  const after = cursor === undefined ? undefined : decode(cursor, query.skPrefix ?? '');
  if (cursor !== undefined && after === undefined) return BAD_CURSOR;
  // One more than requested tells whether there is a next page.
  const found = await firstItems(items, { ...query, after }, limit + 1);
  const page = { items: found.slice(0, limit) };
  const last = page.items.at(-1);
  return found.length > limit && last ? { ...page, next: encode(items.keyOf(last).sk) } : page;
}

const encode = (sk: string): string => Buffer.from(sk).toString('base64url');

function decode(cursor: string, skPrefix: string): string | undefined {
  const sk = Buffer.from(cursor, 'base64url').toString();
  const isOurs = encode(sk) === cursor && sk.startsWith(skPrefix);
  return isOurs && sk !== '' && Buffer.byteLength(sk) <= SORT_KEY_BYTES ? sk : undefined;
}
