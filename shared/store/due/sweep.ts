import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { forEachConcurrently } from '../../async/for-each-concurrently.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { dynamo } from '../client.ts';
import { type Attributes, keyAttributes } from '../item.ts';
import { DUE_PARTITIONS, dueKey, duePartition, forget, type OutboxRecord, type Send } from './message.ts';

export type Sweep = {
  readonly sent: number;
  /** Messages that were sent many times and never done. They are in their dead-letter queues. */
  readonly givenUp: readonly { readonly id: string; readonly queue: string; readonly sends: number }[];
  /** Messages that could not be sent. They come due again, later with every attempt. */
  readonly failed: readonly { readonly id: string; readonly queue: string; readonly error: unknown }[];
  /** The sweep stopped at its limit, and more messages are due. */
  readonly more: boolean;
};

type DueRecord = {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly dueAt: number;
  /** Missing in records of versions before tokens. */
  readonly token?: string;
  /** How often the record was claimed, and how often the send that followed failed. */
  readonly tries?: number;
  readonly failures?: number;
};

// A function sends about so many in half a minute, well within the schedule's minute.
const MAX_PER_SWEEP = 2_000;
// Few enough that a killed sweep leaves few records claimed.
const PAGE_SIZE = 100;
const CONCURRENCY = 10;

// The time until a sent message comes due again: a minute, doubled after every send, so that its records do not
// multiply a backlog in the queue.
const CLAIM_MS = 60_000;
const MAX_DOUBLINGS = 6;
// About two hours of sends. A message that kills every worker never fails, so no consumer moves it to the dead letters.
const MAX_SENDS = 8;

/**
 * Sends the messages that are due, oldest first. Run it on a schedule; two sweeps at once do little work twice.
 * @example const { sent, failed, more } = await sendDue({ service: 'batch', send, bury });
 */
export async function sendDue({
  service,
  send,
  bury,
  now = Date.now,
  limit = MAX_PER_SWEEP,
}: {
  readonly service: ServiceName;
  readonly send: Send;
  /** Moves a message that is never done to where an operator finds it. */
  readonly bury: Bury;
  readonly now?: () => number;
  readonly limit?: number;
}): Promise<Sweep> {
  const partitions = Array.from({ length: DUE_PARTITIONS }, (_, n) => n);
  const share = Math.ceil(limit / DUE_PARTITIONS);
  const sweeps = await Promise.all(
    partitions.map((n) => sweepPartition({ service, send, bury, now }, n, share)),
  );
  return {
    sent: sweeps.reduce((sum, { sent }) => sum + sent, 0),
    givenUp: sweeps.flatMap(({ givenUp }) => givenUp),
    failed: sweeps.flatMap(({ failed }) => failed),
    more: sweeps.some(({ more }) => more),
  };
}

type Bury = (queue: string, body: unknown, record: OutboxRecord, sends: number) => Promise<unknown>;
type Sweeper = {
  readonly service: ServiceName;
  readonly send: Send;
  readonly bury: Bury;
  readonly now: () => number;
};

async function sweepPartition(sweeper: Sweeper, partition: number, limit: number): Promise<Sweep> {
  const { service, now } = sweeper;
  const outcomes: Outcome[] = [];
  let after: QueryPage['LastEvaluatedKey'];
  do {
    const page = await queryDue(
      service,
      partition,
      now(),
      Math.min(PAGE_SIZE, limit - outcomes.length),
      after,
    );
    const records = (page.Items ?? []).map((item) => unmarshall(item) as DueRecord);
    await forEachConcurrently(CONCURRENCY, records, async (record) => {
      outcomes.push(await sweepRecord(sweeper, record));
    });
    after = page.LastEvaluatedKey;
  } while (after && outcomes.length < limit);
  return {
    sent: outcomes.filter((outcome) => outcome === 'sent').length,
    givenUp: outcomes.flatMap((outcome) =>
      typeof outcome === 'object' && 'sends' in outcome ? outcome : [],
    ),
    failed: outcomes.flatMap((outcome) => (typeof outcome === 'object' && 'error' in outcome ? outcome : [])),
    more: after !== undefined,
  };
}

type Outcome = 'sent' | 'taken' | Sweep['failed'][number] | Sweep['givenUp'][number];
type QueryPage = Awaited<ReturnType<typeof queryDue>>;

const queryDue = (
  service: ServiceName,
  partition: number,
  nowMs: number,
  Limit: number,
  ExclusiveStartKey?: Attributes,
) =>
  dynamo().send(
    new QueryCommand({
      TableName: tableName(service),
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :partition AND dueAt <= :now',
      ExpressionAttributeValues: {
        ':partition': { S: duePartition(partition) },
        ':now': { N: String(nowMs) },
      },
      Limit,
      ExclusiveStartKey,
    }),
  );

async function sweepRecord({ service, send, bury, now }: Sweeper, due: DueRecord): Promise<Outcome> {
  const { id, queue, tries = 0, failures = 0 } = due;
  const record = { id, token: due.token ?? randomUUID() };
  const sends = tries - failures;
  const dueAtMs = now() + CLAIM_MS * 2 ** Math.min(tries, MAX_DOUBLINGS);
  if (!(await claimUntil(service, due, record, dueAtMs))) return 'taken';
  const body: unknown = JSON.parse(due.body);
  try {
    if (sends < MAX_SENDS) {
      await send(queue, body, record);
      return 'sent';
    }
    await bury(queue, body, record, sends);
    await forget({ service, ...record });
    return { id, queue, sends };
  } catch (error) {
    await countFailure(service, record).catch(() => undefined);
    return { id, queue, error };
  }
}

// Two sweepers find one message, and the first is killed before it sent it:
//
//   sweeper 1  |--finds it--claims: due in a minute-- killed
//   sweeper 2  |--finds it---claim refused                   (a minute later) |--claims--sends
//
// So a message is sent at least once, and again until its consumer has done it.
async function claimUntil(
  service: ServiceName,
  { dueAt }: DueRecord,
  { id, token }: OutboxRecord,
  untilMs: number,
): Promise<boolean> {
  const stillDue = 'dueAt = :found';
  const claim = new UpdateItemCommand({
    TableName: tableName(service),
    Key: keyAttributes(dueKey(id)),
    UpdateExpression: 'SET dueAt = :until, #token = :token ADD tries :one',
    ConditionExpression: stillDue,
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: {
      ':found': { N: String(dueAt) },
      ':until': { N: String(untilMs) },
      ':token': { S: token },
      ':one': { N: '1' },
    },
  });
  try {
    await dynamo().send(claim);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** A failed send does not count towards the sends after which a message is given up. */
const countFailure = (service: ServiceName, { id }: OutboxRecord) =>
  dynamo().send(
    new UpdateItemCommand({
      TableName: tableName(service),
      Key: keyAttributes(dueKey(id)),
      UpdateExpression: 'ADD failures :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }),
  );
