import { randomUUID } from 'node:crypto';
import type { Put, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { ifThrown } from '../../errors/expected.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { currentTrace, recordedTrace, type Trace } from '../../trace/trace.ts';
import { sendOnce } from '../commit.ts';
import { keyAttributes, toAttributes } from '../item.ts';
import { RaceLost } from '../refusals.ts';
import { retryWhileLocked } from '../retry-on-conflict.ts';
import { shards } from '../shards.ts';
import type { ItemWrite } from '../write.ts';

/** A message for a queue, to be sent at its time. */
export type DueMessage = {
  readonly service: ServiceName;
  readonly id: string;
  /** Tells records of the same id apart: a message that replaces another has a new token. */
  readonly token: string;
  readonly queue: string;
  readonly body: unknown;
  /** The trace of the work that recorded it. */
  readonly trace: Trace | undefined;
};

/** A message as a write. */
export type DueWrite = ItemWrite & { readonly item: { readonly Put: Put }; readonly message: DueMessage };

/** The outbox record of a message on a queue. */
export type OutboxRecord = Pick<DueMessage, 'id' | 'token'>;

/** A message and its record, which is the same for every send, so that the receiver can detect a repeat. */
export type RecordedMessage = {
  readonly body: unknown;
  readonly record: OutboxRecord;
  readonly trace?: Trace | undefined;
  readonly delaySeconds?: number | undefined;
};

/** Puts messages on one queue. The result has the error of each that was not sent, by its position. */
export type Send = (
  queue: string,
  messages: readonly RecordedMessage[],
) => Promise<ReadonlyMap<number, unknown>>;

/** `work` is waited for: retries, expiries, tasks. `garbage` only takes up space, and is swept after all work. */
export type DueKind = 'work' | 'garbage';

// A partition takes 1,000 writes a second: four take 2,000 messages, each recorded and forgotten. Every sweep asks all of
// them, also when nothing is due.
const PARTITIONS = 4;

/** The partitions of the due index that hold messages. */
export const DUE_MESSAGES = {
  work: shards('DUE', PARTITIONS),
  garbage: shards('GARBAGE', PARTITIONS),
} as const;

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
 * happens, and sent by the sweeper when due, until its consumer has done the work. A later message with the same id
 * replaces it. Services use `sending` of shared/queue/outbox.ts, which also sends it.
 * @example const message = dueMessage({ service: 'batch', queue: 'jobs', body: { id }, dueAtMs });
 */
export function dueMessage({
  service,
  queue,
  body,
  dueAtMs,
  id = randomUUID(),
  kind = 'work',
}: {
  readonly service: ServiceName;
  readonly queue: string;
  readonly body: unknown;
  readonly dueAtMs: number;
  /** Chosen by a writer that replaces or cancels the message later. Random when left out. */
  readonly id?: string;
  readonly kind?: DueKind;
}): DueWrite {
  const token = randomUUID();
  const Item = toAttributes({
    ...dueKey(id),
    id,
    token,
    duePk: DUE_MESSAGES[kind].of(id),
    dueAt: dueAtMs,
    queue,
    body: JSON.stringify(body),
    ...recordedTrace(),
  });
  return {
    item: { Put: { TableName: tableName(service), Item } },
    message: { service, id, token, queue, body, trace: currentTrace() },
  };
}

/**
 * The deletion of a message as a write, for the commit of a change after which it has nothing to do: a sweep never meets
 * it. The message need not exist. One that is on a queue already is still received.
 * @example await uploads.change(upload, { state: 'Taken' }, { also: [canceling('documents', `upload:${upload.id}`)] });
 */
export const canceling = (service: ServiceName, id: string): ItemWrite => ({
  item: { Delete: { TableName: tableName(service), Key: keyAttributes(dueKey(id)) } },
});

type StoredRecord = OutboxRecord & Pick<DueMessage, 'service'>;
const stillThisRecord = '#token = :token';

/**
 * Deletes the record of a message whose work is done. A record that replaced it meanwhile stays.
 * @example await forget(order.message);
 */
export const forget = (record: StoredRecord): Promise<void> => unlessReplaced({ Delete: guarded(record) });

/** Postpones the next send of a message that is in a queue until about then. */
export const postpone = (record: StoredRecord, dueAtMs: number): Promise<void> => {
  const { ExpressionAttributeValues, ...update } = guarded(record);
  return unlessReplaced({
    Update: {
      ...update,
      UpdateExpression: 'SET dueAt = :dueAt',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':dueAt': { N: String(dueAtMs) } },
    },
  });
};

const guarded = ({ service, id, token }: StoredRecord) => ({
  TableName: tableName(service),
  Key: keyAttributes(dueKey(id)),
  ConditionExpression: stillThisRecord,
  ExpressionAttributeNames: { '#token': 'token' },
  ExpressionAttributeValues: { ':token': { S: token } },
});

async function unlessReplaced(item: TransactWriteItem): Promise<void> {
  const refusal = () => new RaceLost('Another record has replaced it, or it is done.');
  await retryWhileLocked(() => sendOnce([{ item, refusal }])).catch(ifThrown(RaceLost));
}
