import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamo } from '../client.ts';
import { type Attributes, keyAttributes } from '../item.ts';

// The key of an entry is its time and its id: 2026-11-14T02:05:33.123Z#id
const TIME_LENGTH = 24;

/** These are before and after every key. */
export const FIRST = ' ';
export const LAST = '~';

/** The entries of one view. */
type View = { readonly table: string; readonly pk: string };

export type ListedEntry = {
  readonly id: string;
  readonly atMs: number;
  /** Where a walk goes on after this entry. */
  readonly place: string;
  readonly facts: readonly string[];
  /** Whether no fact was left out for its size. */
  readonly hasAllFacts: boolean;
  readonly shard: number;
  /** Where the list has the things themselves, and this entry is of the view of all. */
  readonly item?: object | undefined;
};

export const entryKey = (iso: string, id: string): string => `${iso}#${id}`;

export function readEntry(attributes: Attributes): ListedEntry {
  const { pk, sk, facts, isCut = false, item } = unmarshall(attributes);
  return {
    id: sk.slice(TIME_LENGTH + 1),
    atMs: Date.parse(sk.slice(0, TIME_LENGTH)),
    place: sk,
    facts: facts ?? [],
    hasAllFacts: facts !== undefined && !isCut,
    shard: Number(pk.slice(pk.lastIndexOf('#') + 1)),
    item,
  };
}

type Span = {
  /** Neither bound is in the span: no entry's key equals a time. */
  readonly from: string;
  readonly before: string;
  readonly oldestFirst?: boolean;
  /** Only entries after this place, in the order asked for. There need be no entry at it. */
  readonly after?: string | undefined;
};

/** The entries of a span in their order, after the first `skip`. Several views are merged. */
export async function entriesOf(
  views: readonly View[],
  span: Span,
  { skip = 0, count }: { readonly skip?: number; readonly count: number },
): Promise<ListedEntry[]> {
  const found = await Promise.all(views.map((view) => entriesOfView(view, span, skip + count)));
  const order = span.oldestFirst ? 1 : -1;
  const merged =
    found.length === 1 ? found.flat() : found.flat().sort((a, b) => (a.place < b.place ? -order : order));
  return merged.slice(skip, skip + count);
}

async function entriesOfView(view: View, span: Span, limit: number): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = [];
  // DynamoDB refuses bounds the wrong way round.
  if (span.from > span.before) return entries;
  let start = span.after === undefined ? undefined : keyAttributes({ pk: view.pk, sk: span.after });
  do {
    const { Items = [], LastEvaluatedKey } = await query(view, span, {
      ScanIndexForward: span.oldestFirst ?? false,
      Limit: limit - entries.length,
      ExclusiveStartKey: start,
    });
    entries.push(...Items.map(readEntry));
    start = LastEvaluatedKey;
  } while (start && entries.length < limit);
  return entries;
}

const query = ({ table, pk }: View, { from, before }: Span, options: Partial<QueryCommandInput>) =>
  dynamo().send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':before': { S: before } },
      ...options,
    }),
  );
