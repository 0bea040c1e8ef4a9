import { unmarshall } from '@aws-sdk/util-dynamodb';
import { forEachConcurrently } from '../../async/for-each-concurrently.ts';
import type { ServiceName } from '../../settings/names.ts';
import { continueTrace, runInTrace, type Trace } from '../../trace/trace.ts';
import type { Attributes } from '../item.ts';
import { claimUntil, countFailure, type DueRecord } from './claim.ts';
import { DUE_MESSAGES, type DueKind, forget, type OutboxRecord, type Send } from './message.ts';
import { dueRounds } from './rounds.ts';

export type Sweep = {
  readonly sent: number;
  /** Messages that were sent many times and never done. They are in their dead-letter queues. */
  readonly givenUp: readonly GivenUp[];
  /** Messages that could not be sent. They come due again, later with every attempt. */
  readonly failed: readonly Failed[];
  /** The sweep ran out of time, and more messages are due. */
  readonly more: boolean;
  /** How many were due and are not sent. Those that nobody has read yet are not counted. */
  readonly left: number;
  /** How long the one that has waited longest was past its time; 0 with none. */
  readonly oldestMs: number;
};

type GivenUp = { readonly id: string; readonly queue: string; readonly sends: number };
type Failed = { readonly id: string; readonly queue: string; readonly error: unknown };
type Outcome = 'sent' | 'taken' | GivenUp | Failed;

/** One of several sweeps that divide the partitions between them, from 0. */
export type SweepShare = { readonly share: number; readonly of: number };

type Bury = (queue: string, body: unknown, record: OutboxRecord, sends: number) => Promise<unknown>;
type Sweeper = {
  readonly service: ServiceName;
  readonly send: Send;
  /** Moves a message that is never done to where an operator finds it. */
  readonly bury: Bury;
  readonly now: () => number;
};

const KINDS: readonly DueKind[] = ['work', 'garbage'];

const PAGE_SIZE = 100;
// SQS takes so many in one call.
const BATCH_SIZE = 10;
// With its ten claims each, a batch fills the 50 connections of a client. A killed sweep leaves so few records claimed.
const BATCHES_AT_ONCE = 5;

// The time until a sent message comes due again: a minute, doubled after every send, so that its records do not
// multiply a backlog in the queue.
const CLAIM_MS = 60_000;
const MAX_DOUBLINGS = 6;
// About two hours of sends. A message that kills every worker never fails, so no consumer moves it to the dead letters.
const MAX_SENDS = 8;

/**
 * Sends the messages that are due until none is left or `hasTime` says no: all work first, then garbage, each oldest
 * first. The rest is still due. Run it on a schedule; two sweeps at once do little work twice.
 *
 * A message costs one conditional write, a tenth of a send and a hundredth of a query.
 * @example const { sent, failed, more } = await sendDue({ service: 'batch', send, bury, hasTime });
 */
export async function sendDue({
  hasTime = () => true,
  share = { share: 0, of: 1 },
  now = Date.now,
  ...rest
}: Omit<Sweeper, 'now'> & {
  readonly hasTime?: () => boolean;
  readonly share?: SweepShare;
  readonly now?: () => number;
}): Promise<Sweep> {
  const sweeper = { ...rest, now };
  const outcomes: Outcome[] = [];
  let more = false;
  let unsent = 0;
  let oldestMs = 0;
  for await (const rows of roundsOf(sweeper, share)) {
    for (const { dueAt } of rows) oldestMs = Math.max(oldestMs, now() - Number(dueAt?.N));
    await forEachConcurrently(BATCHES_AT_ONCE, batchesOf(rows), async (batch) => {
      if (hasTime()) outcomes.push(...(await sweepBatch(sweeper, batch)));
      else {
        more = true;
        unsent += batch.records.length;
      }
    });
    if (more) break;
  }
  const failed = outcomes.filter((outcome) => typeof outcome === 'object' && 'error' in outcome);
  return {
    sent: outcomes.filter((outcome) => outcome === 'sent').length,
    givenUp: outcomes.filter((outcome) => typeof outcome === 'object' && 'sends' in outcome),
    failed,
    more,
    left: failed.length + unsent,
    oldestMs,
  };
}

/** The rounds of work, and after the last of them those of garbage. */
async function* roundsOf({ service, now }: Sweeper, { share, of }: SweepShare): AsyncGenerator<Attributes[]> {
  for (const kind of KINDS) {
    const partitions = DUE_MESSAGES[kind].all.filter((_, n) => n % of === share);
    yield* dueRounds({ service, partitions, pageSize: PAGE_SIZE, now });
  }
}

type Batch = { readonly queue: string; readonly records: readonly DueRecord[] };

/** Messages of one queue, as many as one call sends. The batch with the oldest message is first. */
function batchesOf(rows: readonly Attributes[]): Batch[] {
  const batches: { queue: string; records: DueRecord[] }[] = [];
  const open = new Map<string, DueRecord[]>();
  for (const row of rows) {
    const record = unmarshall(row) as DueRecord;
    const { queue } = record;
    const records = open.get(queue) ?? [];
    if (records.length === 0) batches.push({ queue, records });
    records.push(record);
    if (records.length < BATCH_SIZE) open.set(queue, records);
    else open.delete(queue);
  }
  return batches;
}

type Claimed = {
  readonly record: OutboxRecord;
  readonly body: unknown;
  readonly trace: Trace;
  readonly sends: number;
};

async function sweepBatch(sweeper: Sweeper, { queue, records }: Batch): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const claimed: Claimed[] = [];
  const claim = async (due: DueRecord): Promise<void> => {
    try {
      const message = await claimRecord(sweeper, due);
      if (message) claimed.push(message);
      else outcomes.push('taken');
    } catch (error) {
      // It is still due, and holds up no other.
      outcomes.push({ id: due.id, queue, error });
    }
  };
  await Promise.all(records.map(claim));
  const { dead = [], alive = [] } = Object.groupBy(claimed, ({ sends }) =>
    sends < MAX_SENDS ? 'alive' : 'dead',
  );
  outcomes.push(...(await sendClaimed(sweeper, queue, alive)));
  for (const message of dead) outcomes.push(await buryRecord(sweeper, queue, message));
  return outcomes;
}

async function claimRecord({ service, now }: Sweeper, due: DueRecord): Promise<Claimed | undefined> {
  const { id, token, trace, tries = 0, failures = 0 } = due;
  const untilMs = now() + CLAIM_MS * 2 ** Math.min(tries, MAX_DOUBLINGS);
  if (!(await claimUntil(service, due, untilMs))) return undefined;
  const sends = tries - failures;
  return { record: { id, token }, body: JSON.parse(due.body), trace: continueTrace(trace), sends };
}

async function sendClaimed(
  { service, send }: Sweeper,
  queue: string,
  messages: readonly Claimed[],
): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  const failures = await send(queue, messages).catch(
    (error: unknown): ReadonlyMap<number, unknown> => new Map(messages.map((_, n) => [n, error])),
  );
  return Promise.all(
    messages.map(async ({ record }, n): Promise<Outcome> => {
      if (!failures.has(n)) return 'sent';
      await countFailure(service, record).catch(() => undefined);
      return { id: record.id, queue, error: failures.get(n) };
    }),
  );
}

async function buryRecord(
  { service, bury }: Sweeper,
  queue: string,
  { record, body, trace, sends }: Claimed,
): Promise<Outcome> {
  const { id } = record;
  try {
    await runInTrace(trace, () => bury(queue, body, record, sends));
    await forget({ service, ...record });
    return { id, queue, sends };
  } catch (error) {
    await countFailure(service, record).catch(() => undefined);
    return { id, queue, error };
  }
}
