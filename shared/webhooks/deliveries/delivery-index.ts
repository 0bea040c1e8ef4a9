import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../../store/client.ts';
import type { Stored } from '../../store/collection.ts';
import type { BadCursor } from '../../store/cursor.ts';
import type { Attributes } from '../../store/item.ts';
import type { WebhookEngine } from '../engine.ts';
import { deliveriesOf, deliveryKey, exhaustedOf, type StoredDelivery } from './delivery.ts';
import { type Delivery, renderDelivery } from './shown-delivery.ts';

type Asked = {
  readonly duePk: string;
  readonly webhookId: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly newestFirst: boolean;
};

// As many as any list gives out; well within what one query answers.
const MAX_PER_PAGE = 1_000;

const EVENT_ID = /^[0-9a-f-]{36}$/;

/** A page of the deliveries that the index has under one key. The cursor names the last one and its time alone. */
export async function pageByIndex(
  engine: WebhookEngine,
  { limit: wanted, ...asked }: Asked,
): Promise<{ readonly items: readonly Delivery[]; readonly next?: string } | BadCursor> {
  const limit = Math.min(Math.max(Math.trunc(wanted) || 1, 1), MAX_PER_PAGE);
  const start = asked.cursor === undefined ? undefined : startOf(asked, asked.cursor);
  if (asked.cursor !== undefined && !start) return { refused: 'bad-cursor' };
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(engine.service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :key',
      ExpressionAttributeValues: { ':key': { S: asked.duePk } },
      ScanIndexForward: !asked.newestFirst,
      // One more than asked for, so that the last page says that it is the last.
      Limit: limit + 1,
      ExclusiveStartKey: start,
    }),
  );
  const items = Items.slice(0, limit).map(deliveriesOf(engine).read).map(renderDelivery);
  const last = items.at(-1);
  const dueAt = Items[limit - 1]?.dueAt?.N;
  return Items.length > limit && last && dueAt !== undefined
    ? { items, next: Buffer.from(`${dueAt} ${last.id}`).toString('base64url') }
    : { items };
}

function startOf(
  { duePk, webhookId }: Pick<Asked, 'duePk' | 'webhookId'>,
  cursor: string,
): Attributes | undefined {
  const [dueAt = '', eventId = '', ...more] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^\d{1,16}$/.test(dueAt) || !EVENT_ID.test(eventId) || more.length > 0) return undefined;
  const { pk, sk } = deliveryKey({ webhookId, eventId });
  return { pk: { S: pk }, sk: { S: sk }, duePk: { S: duePk }, dueAt: { N: dueAt } };
}

/** A page of what was given up until a moment, the oldest first. */
export async function exhaustedPage(
  engine: WebhookEngine,
  webhookId: string,
  untilMs: number,
  { limit, after }: { readonly limit: number; readonly after: Attributes | undefined },
): Promise<{ readonly given: readonly Stored<StoredDelivery>[]; readonly after: Attributes | undefined }> {
  const { Items = [], LastEvaluatedKey } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(engine.service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :key AND dueAt <= :until',
      ExpressionAttributeValues: {
        ':key': { S: exhaustedOf(webhookId) },
        ':until': { N: String(untilMs) },
      },
      Limit: limit,
      ExclusiveStartKey: after,
    }),
  );
  return { given: Items.map(deliveriesOf(engine).read), after: LastEvaluatedKey };
}
