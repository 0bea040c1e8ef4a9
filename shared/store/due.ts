import { randomInt, randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { keyAttributes, toAttributes } from './item.ts';
import type { ItemWrite } from './write.ts';

/** A message that is to go to a queue once its time has come. */
export type DueMessage = {
  readonly service: ServiceName;
  readonly id: string;
  readonly queue: string;
  readonly body: unknown;
  /** Whoever wrote it may send it right after the commit. */
  readonly atOnce: boolean;
  readonly dueAt: number;
};

/** Puts a message on a queue. The id is the same for every try, so that the receiver can know a repeat. */
export type Send = (queue: string, body: unknown, options: { readonly id: string }) => Promise<unknown>;

/** The index has one partition for each, so that a burst of messages does not meet in one. */
export const DUE_PARTITIONS = 4;
export const duePartition = (n: number): string => `DUE#${n}`;
export const dueKey = (id: string) => ({ pk: `DUE#${id}`, sk: 'DUE' });

// The head start of a writer that sends at once. A sweep within it would only send twice.
const HEAD_START_MS = 15_000;

/**
 * A message as a write, for the change that causes it: recorded if and only if that happens, and sent by
 * the sweeper once due, at least once. With no `dueAtMs` it is due at once. The same id again replaces it.
 * @example const message = dueMessage({ service: 'batch', queue: 'jobs', body: { id } });
 *          await jobs.create(job, { also: [message] });
 *          await sendNow([message], send);
 */
export function dueMessage({
  service,
  queue,
  body,
  dueAtMs,
  id = randomUUID(),
  now = Date.now,
}: {
  readonly service: ServiceName;
  readonly queue: string;
  readonly body: unknown;
  readonly dueAtMs?: number;
  readonly id?: string;
  readonly now?: () => number;
}): ItemWrite & { readonly message: DueMessage } {
  const dueAt = dueAtMs ?? now() + HEAD_START_MS;
  const Item = toAttributes({
    ...dueKey(id),
    id,
    duePk: duePartition(randomInt(DUE_PARTITIONS)),
    dueAt,
    queue,
    body: JSON.stringify(body),
  });
  return {
    item: { Put: { TableName: tableName(service), Item } },
    message: { service, id, queue, body, atOnce: dueAtMs === undefined, dueAt },
  };
}

/**
 * Sends, right after their commit, the messages that are due at once; those for later are left alone.
 * It never throws: what it does not manage, the sweeper does. It tells how many were sent.
 * @example await sendNow([message], send);
 */
export async function sendNow(
  writes: readonly { readonly message: DueMessage }[],
  send: Send,
): Promise<number> {
  const atOnce = writes.map(({ message }) => message).filter((message) => message.atOnce);
  const outcomes = await Promise.allSettled(
    atOnce.map(async (message) => {
      await send(message.queue, message.body, { id: message.id });
      await forget(message);
    }),
  );
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

/** Deletes a message that was sent, unless it was given another time meanwhile. */
export async function forget({
  service,
  id,
  dueAt,
}: Pick<DueMessage, 'service' | 'id' | 'dueAt'>): Promise<void> {
  const remove = new DeleteItemCommand({
    TableName: tableName(service),
    Key: keyAttributes(dueKey(id)),
    ConditionExpression: 'dueAt = :dueAt',
    ExpressionAttributeValues: { ':dueAt': { N: String(dueAt) } },
  });
  await dynamo()
    .send(remove)
    .catch((error) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
}
