import { randomInt, randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import { keyAttributes, toAttributes } from '../item.ts';
import type { ItemWrite } from '../write.ts';

/** A message for a queue, to be sent at its time. */
export type DueMessage = {
  readonly service: ServiceName;
  readonly id: string;
  /** Tells records of the same id apart: a message that replaces another has a new token. */
  readonly token: string;
  readonly queue: string;
  readonly body: unknown;
  /** The writer may send it right after the commit. */
  readonly isDueNow: boolean;
};

/** The outbox record of a message on a queue. */
export type OutboxRecord = Pick<DueMessage, 'id' | 'token'>;

/** Puts a message on a queue. The record is the same for every send, so that the receiver can detect a repeat. */
export type Send = (queue: string, body: unknown, record: OutboxRecord) => Promise<unknown>;

/** The index has so many partitions for messages, so that a burst does not meet in one. */
export const DUE_PARTITIONS = 4;
export const duePartition = (n: number): string => `DUE#${n}`;
export const dueKey = (id: string) => ({ pk: `DUE#${id}`, sk: 'DUE' });

/** The time for a message that was just sent to be received and done. A sweep within it would only send it twice. */
export const HEAD_START_MS = 15_000;

// A message leaves the outbox when its work is done, not when it is sent:
//
//   writer    |--commits change and record--sends--|
//   worker 1                                        |--receives-- killed
//   sweeper                                                 (head start over) |--claims--sends--|
//   worker 2                                                                                     |--works--forgets
//
// SQS keeps the message of worker 1 invisible for minutes. The record brings it back within about one.

/**
 * A message as a write, for the commit of the change that causes it (outbox): recorded if and only if the change
 * happens, and sent by the sweeper when due, until its consumer has done the work. Without `dueAtMs` it is due at once.
 * A later message with the same id replaces it.
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
  const token = randomUUID();
  const Item = toAttributes({
    ...dueKey(id),
    id,
    token,
    duePk: duePartition(randomInt(DUE_PARTITIONS)),
    dueAt: dueAtMs ?? now() + HEAD_START_MS,
    queue,
    body: JSON.stringify(body),
  });
  return {
    item: { Put: { TableName: tableName(service), Item } },
    message: { service, id, token, queue, body, isDueNow: dueAtMs === undefined },
  };
}

/**
 * Sends the messages that are due at once, right after their commit; the others are left alone. It never throws: the
 * sweeper sends the rest. It returns how many were sent.
 * @example await sendNow([message], send);
 */
export async function sendNow(
  writes: readonly { readonly message: DueMessage }[],
  send: Send,
): Promise<number> {
  const dueNow = writes.map(({ message }) => message).filter(({ isDueNow }) => isDueNow);
  const outcomes = await Promise.allSettled(
    dueNow.map(({ queue, body, id, token }) => send(queue, body, { id, token })),
  );
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

type StoredRecord = OutboxRecord & Pick<DueMessage, 'service'>;
const stillThisRecord = '#token = :token';

/**
 * Deletes the record of a message whose work is done. A record that replaced it meanwhile stays.
 * @example await forget(order.message);
 */
export const forget = (record: StoredRecord): Promise<void> =>
  unlessReplaced(new DeleteItemCommand(guarded(record)));

/**
 * The deletion of a message's record by its id, as a write: for the change after which nobody needs the message. It
 * has no condition, so the id must name one piece of work for ever.
 * @example also: [canceling('documents', `upload:${id}`)]
 */
export const canceling = (service: ServiceName, id: string): ItemWrite => ({
  item: { Delete: { TableName: tableName(service), Key: keyAttributes(dueKey(id)) } },
});

/** Postpones the next send of a message that is in a queue until about then. */
export const postpone = (record: StoredRecord, dueAtMs: number): Promise<void> => {
  const { ExpressionAttributeValues, ...update } = guarded(record);
  return unlessReplaced(
    new UpdateItemCommand({
      ...update,
      UpdateExpression: 'SET dueAt = :dueAt',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':dueAt': { N: String(dueAtMs) } },
    }),
  );
};

const guarded = ({ service, id, token }: StoredRecord) => ({
  TableName: tableName(service),
  Key: keyAttributes(dueKey(id)),
  ConditionExpression: stillThisRecord,
  ExpressionAttributeNames: { '#token': 'token' },
  ExpressionAttributeValues: { ':token': { S: token } },
});

async function unlessReplaced(command: DeleteItemCommand | UpdateItemCommand): Promise<void> {
  try {
    await (command instanceof DeleteItemCommand ? dynamo().send(command) : dynamo().send(command));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
