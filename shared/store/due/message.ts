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

/** A message that is to go to a queue once its time has come. */
export type DueMessage = {
  readonly service: ServiceName;
  readonly id: string;
  /** Which record of this id it is: a message that replaced it has another. */
  readonly token: string;
  readonly queue: string;
  readonly body: unknown;
  /** Whoever wrote it may send it right after the commit. */
  readonly atOnce: boolean;
};

/** The record in the outbox that a message on a queue came from. */
export type OutboxRecord = Pick<DueMessage, 'id' | 'token'>;

/** Puts a message on a queue. The record is the same for every try, so that the receiver can know a repeat. */
export type Send = (queue: string, body: unknown, record: OutboxRecord) => Promise<unknown>;

/** The index has one partition for each, so that a burst of messages does not meet in one. */
export const DUE_PARTITIONS = 4;
export const duePartition = (n: number): string => `DUE#${n}`;
export const dueKey = (id: string) => ({ pk: `DUE#${id}`, sk: 'DUE' });

/** The head start of a message that was just sent, to be received and done. A sweep within it would only send twice. */
export const HEAD_START_MS = 15_000;

// A message leaves the outbox when its work is done, not when it is sent:
//
//   writer    |--commits change and record--sends--|
//   worker 1                                        |--receives-- killed
//   sweeper                                                 (head start over) |--claims--sends--|
//   worker 2                                                                                     |--works--forgets
//
// SQS keeps what worker 1 had in hand invisible for minutes. The record brings it back within about one.

/**
 * A message as a write, for the change that causes it: recorded if and only if that happens, and sent by
 * the sweeper once due, until its consumer has done it. With no `dueAtMs` it is due at once. The same id again
 * replaces it.
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
    message: { service, id, token, queue, body, atOnce: dueAtMs === undefined },
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
    atOnce.map(({ queue, body, id, token }) => send(queue, body, { id, token })),
  );
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

type InTable = OutboxRecord & Pick<DueMessage, 'service'>;
const stillThisRecord = '#token = :token';

/**
 * Deletes the record of a message whose work is done. One that replaced it meanwhile stays.
 * @example await forget(order.message);
 */
export const forget = (record: InTable): Promise<void> =>
  unlessReplaced(new DeleteItemCommand(guarded(record)));

/** Puts off the next send of a message: it is in a queue until about then. */
export const postpone = (record: InTable, dueAtMs: number): Promise<void> => {
  const { ExpressionAttributeValues, ...update } = guarded(record);
  return unlessReplaced(
    new UpdateItemCommand({
      ...update,
      UpdateExpression: 'SET dueAt = :dueAt',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':dueAt': { N: String(dueAtMs) } },
    }),
  );
};

const guarded = ({ service, id, token }: InTable) => ({
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
