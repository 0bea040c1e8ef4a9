import { ConditionalCheckFailedException, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import { DUE_PARTITIONS, dueKey, duePartition, forget, type Send } from './due.ts';
import { type Attributes, keyAttributes } from './item.ts';

export type Sweep = {
  readonly sent: number;
  /** Those that could not be sent. They come due again, later with every try. */
  readonly failed: readonly { readonly id: string; readonly queue: string; readonly error: unknown }[];
  /** The sweep stopped at its bound, with messages left that are due. */
  readonly more: boolean;
};

type Found = {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly dueAt: number;
  readonly tries?: number;
};

// About what a function sends in half a minute, one sweep's share of the schedule's minute.
const MOST_PER_SWEEP = 2_000;
// Few enough that a sweep which is killed leaves little claimed behind.
const FOUND_AT_ONCE = 100;
const SENT_AT_ONCE = 10;

// Longer than any send takes, shorter than anyone minds when a sweeper was killed right after its claim.
const CLAIM_MS = 60_000;
// 2^6 minutes: a message that no queue will take is tried about once an hour.
const MOST_DOUBLINGS = 6;

/**
 * Sends what is due, oldest first. Run it on a schedule; two at once do little work twice.
 * @example const { sent, failed, more } = await sendDue({ service: 'batch', send });
 */
export async function sendDue({
  service,
  send,
  now = Date.now,
  most = MOST_PER_SWEEP,
}: {
  readonly service: ServiceName;
  readonly send: Send;
  readonly now?: () => number;
  readonly most?: number;
}): Promise<Sweep> {
  const partitions = Array.from({ length: DUE_PARTITIONS }, (_, n) => n);
  const share = Math.ceil(most / DUE_PARTITIONS);
  const sweeps = await Promise.all(partitions.map((n) => sweepPartition(service, n, send, now, share)));
  return {
    sent: sweeps.reduce((sum, { sent }) => sum + sent, 0),
    failed: sweeps.flatMap(({ failed }) => failed),
    more: sweeps.some(({ more }) => more),
  };
}

async function sweepPartition(
  service: ServiceName,
  partition: number,
  send: Send,
  now: () => number,
  most: number,
): Promise<Sweep> {
  const outcomes: Outcome[] = [];
  let after: QueryPage['LastEvaluatedKey'];
  do {
    const page = await queryDue(
      service,
      partition,
      now(),
      Math.min(FOUND_AT_ONCE, most - outcomes.length),
      after,
    );
    const found = (page.Items ?? []).map((item) => unmarshall(item) as Found);
    for (let from = 0; from < found.length; from += SENT_AT_ONCE) {
      const some = found.slice(from, from + SENT_AT_ONCE);
      outcomes.push(...(await Promise.all(some.map((message) => deliver(service, message, send, now)))));
    }
    after = page.LastEvaluatedKey;
  } while (after && outcomes.length < most);
  return {
    sent: outcomes.filter((outcome) => outcome === 'sent').length,
    failed: outcomes.filter((outcome) => typeof outcome === 'object'),
    more: after !== undefined,
  };
}

type Outcome = 'sent' | 'taken' | Sweep['failed'][number];
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

async function deliver(service: ServiceName, found: Found, send: Send, now: () => number): Promise<Outcome> {
  const { id, queue, body, tries = 0 } = found;
  const dueAt = now() + CLAIM_MS * 2 ** Math.min(tries, MOST_DOUBLINGS);
  if (!(await claimUntil(service, found, dueAt))) return 'taken';
  try {
    await send(queue, JSON.parse(body), { id });
  } catch (error) {
    return { id, queue, error };
  }
  await forget({ service, id, dueAt });
  return 'sent';
}

// Two sweepers find one message, and the first is killed before it could say that it sent it:
//
//   sweeper 1  |--finds it--claims: due in a minute--sends-- killed
//   sweeper 2  |--finds it---claim refused                            (a minute later) |--claims--sends--forgets
//
// So a message is sent at least once, and twice only after a death between the send and the deletion.
async function claimUntil(service: ServiceName, { id, dueAt }: Found, until: number): Promise<boolean> {
  const stillDue = 'dueAt = :found';
  const claim = new UpdateItemCommand({
    TableName: tableName(service),
    Key: keyAttributes(dueKey(id)),
    UpdateExpression: 'SET dueAt = :until ADD tries :one',
    ConditionExpression: stillDue,
    ExpressionAttributeValues: {
      ':found': { N: String(dueAt) },
      ':until': { N: String(until) },
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
