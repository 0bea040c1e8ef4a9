import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import type { WebhookEngine } from '../../../shared/webhooks/engine.ts';

/** An item as the table has it. */
export async function stored(
  { service }: WebhookEngine,
  pk: string,
  sk: string,
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await dynamo().send(
    new GetItemCommand({
      TableName: tableName(service),
      Key: { pk: { S: pk }, sk: { S: sk } },
      ConsistentRead: true,
    }),
  );
  return Item && unmarshall(Item);
}

/** The outbox record of a delivery's next attempt. */
export const recordOf = (engine: WebhookEngine, webhookId: string, eventId: string) =>
  stored(engine, `DUE#delivery:${webhookId}:${eventId}`, 'DUE');

/** The mark of a slow webhook. */
export const slowMark = (engine: WebhookEngine, webhookId: string) =>
  stored(engine, `WEBHOOK#${webhookId}`, 'SLOW');

/** As the table's garbage collection would. */
export async function forgetEvent({ service }: WebhookEngine, eventId: string): Promise<void> {
  const Key = { pk: { S: `EVENT#${eventId}` }, sk: { S: 'EVENT' } };
  await dynamo().send(new DeleteItemCommand({ TableName: tableName(service), Key }));
}
