import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../settings/names.ts';
import { dynamo } from '../../store/client.ts';
import type { Stored } from '../../store/collection.ts';
import type { Attributes } from '../../store/item.ts';
import { deliveriesOf, pendingOf, type StoredDelivery } from '../deliveries/delivery.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventsOf, type WebhookEvent } from '../event.ts';

export type Due = {
  readonly delivery: Stored<StoredDelivery>;
  /** Nothing when it is not kept any more. */
  readonly event: WebhookEvent | undefined;
};

export type Look = {
  readonly due: readonly Due[];
  /** Where the next look goes on; nothing at the end of what is due. */
  readonly after?: Attributes | undefined;
  /** When the first delivery that is not due yet comes due, if the look got so far. */
  readonly nextAtMs?: number | undefined;
};

type Asked = {
  readonly limit: number;
  readonly after?: Attributes | undefined;
  /** Those in work already. */
  readonly isBusy?: (eventId: string) => boolean;
};

/** A page of what is pending for a webhook, the one that comes due first at the front. */
export async function pendingPage(
  engine: WebhookEngine,
  webhookId: string,
  limit: number,
  after?: Attributes,
): Promise<{ pending: Stored<StoredDelivery>[]; after: Attributes | undefined }> {
  const { Items = [], LastEvaluatedKey } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(engine.service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :lane',
      ExpressionAttributeValues: { ':lane': { S: pendingOf(webhookId) } },
      Limit: limit,
      ExclusiveStartKey: after,
    }),
  );
  return { pending: Items.map(deliveriesOf(engine).read), after: LastEvaluatedKey };
}

/**
 * What is due for a webhook, the oldest first. The index may be behind its table, so that it names what has been
 * delivered since: each delivery is read again from the table.
 */
export async function findDue(
  engine: WebhookEngine,
  webhookId: string,
  { limit, after, isBusy = () => false }: Asked,
): Promise<Look> {
  const page = await pendingPage(engine, webhookId, limit, after);
  const nowMs = nowOf(engine);
  const isDue = ({ nextAttemptAtMs = 0 }: StoredDelivery): boolean => nextAttemptAtMs <= nowMs;
  const later = page.pending.find((delivery) => !isDue(delivery));
  const named = page.pending.filter((delivery) => isDue(delivery) && !isBusy(delivery.eventId));
  const [deliveries, events] = await Promise.all([
    deliveriesOf(engine).getMany(named),
    eventsOf(engine).getMany(named.map(({ eventId }) => eventId)),
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return {
    due: deliveries
      .filter((delivery) => delivery.state === 'Pending' && isDue(delivery))
      .map((delivery) => ({ delivery, event: byId.get(delivery.eventId) })),
    after: later ? undefined : page.after,
    nextAtMs: later?.nextAttemptAtMs,
  };
}
