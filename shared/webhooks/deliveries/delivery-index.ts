import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../../store/client.ts';
import type { BadCursor } from '../../store/cursor.ts';
import type { Attributes } from '../../store/item.ts';
import type { WebhookEngine } from '../engine.ts';
import {
  type Delivery,
  type DeliveryId,
  deliveriesOf,
  deliveryKey,
  exhaustedOf,
  renderDelivery,
} from './delivery.ts';

type PageRequest = {
  readonly duePk: string;
  readonly webhookId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly newestFirst: boolean;
};

/** A page for our own work, which may be behind the table: read each delivery there before a decision. */
export type IndexPage = {
  readonly deliveries: readonly DeliveryId[];
  /** Where the next page starts; undefined at the end. */
  readonly after: Attributes | undefined;
};

// As many as any list returns; well within one query's answer.
const MAX_PER_PAGE = 1_000;

const EVENT_ID = /^[0-9a-f-]{36}$/;

const queryIndex = (
  { service }: WebhookEngine,
  duePk: string,
  options: Partial<QueryCommandInput> & { readonly untilMs?: number },
) => {
  const { untilMs, ...query } = options;
  return dynamo().send(
    new QueryCommand({
      TableName: tableName(service),
      IndexName: 'due',
      KeyConditionExpression: untilMs === undefined ? 'duePk = :key' : 'duePk = :key AND dueAt <= :until',
      ExpressionAttributeValues: {
        ':key': { S: duePk },
        ...(untilMs !== undefined && { ':until': { N: String(untilMs) } }),
      },
      ...query,
    }),
  );
};

/** A page of deliveries for operators. The cursor holds only the last delivery and its time. */
export async function pageByIndex(
  engine: WebhookEngine,
  request: PageRequest,
): Promise<{ readonly items: readonly Delivery[]; readonly next?: string } | BadCursor> {
  const limit = Math.min(Math.max(Math.trunc(request.limit) || 1, 1), MAX_PER_PAGE);
  const start = request.cursor === undefined ? undefined : decodeCursor(request, request.cursor);
  if (request.cursor !== undefined && !start) return { refused: 'bad-cursor' };
  const { Items = [] } = await queryIndex(engine, request.duePk, {
    ScanIndexForward: !request.newestFirst,
    // One more than requested tells whether there is a next page.
    Limit: limit + 1,
    ExclusiveStartKey: start,
  });
  const items = Items.slice(0, limit).map(deliveriesOf(engine).read).map(renderDelivery);
  const last = items.at(-1);
  const dueAt = Items[limit - 1]?.dueAt?.N;
  return Items.length > limit && last && dueAt !== undefined
    ? { items, next: Buffer.from(`${dueAt} ${last.id}`).toString('base64url') }
    : { items };
}

function decodeCursor(
  { duePk, webhookId }: Pick<PageRequest, 'duePk' | 'webhookId'>,
  cursor: string,
): Attributes | undefined {
  const [dueAt = '', eventId = '', ...others] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^\d{1,16}$/.test(dueAt) || !EVENT_ID.test(eventId) || others.length > 0) return undefined;
  const { pk, sk } = deliveryKey({ webhookId, eventId });
  return { pk: { S: pk }, sk: { S: sk }, duePk: { S: duePk }, dueAt: { N: dueAt } };
}

/** A page of the deliveries that were given up until a time, the oldest first. */
export async function exhaustedPage(
  engine: WebhookEngine,
  webhookId: string,
  untilMs: number,
  { limit, after }: { readonly limit: number; readonly after?: Attributes | undefined },
): Promise<IndexPage> {
  const { Items = [], LastEvaluatedKey } = await queryIndex(engine, exhaustedOf(webhookId), {
    ...{ untilMs, Limit: limit, ExclusiveStartKey: after },
    ProjectionExpression: 'webhookId, eventId',
  });
  return { deliveries: Items.map((item) => unmarshall(item) as DeliveryId), after: LastEvaluatedKey };
}
