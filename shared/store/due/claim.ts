import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../../settings/names.ts';
import type { Traced } from '../../trace/trace.ts';
import { sendOnce } from '../commit.ts';
import { keyAttributes } from '../item.ts';
import { RaceLost } from '../refusals.ts';
import { dueKey, type OutboxRecord } from './message.ts';

/** The record of a message as the due index has it. */
export type DueRecord = Traced & {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly dueAt: number;
  readonly token: string;
  /** How often the record was claimed, and how often the send that followed failed. */
  readonly tries?: number;
  readonly failures?: number;
};

// Two sweepers find one message, and the first is killed before it sent it:
//
//   sweeper 1  |--finds it--claims: due in a minute-- killed
//   sweeper 2  |--finds it---claim refused                   (a minute later) |--claims--sends
//
// So a message is sent at least once, and again until its consumer has done it.

/** Claims a record until then. False when it is not due any more, or its writer is changing it at this moment. */
export async function claimUntil(
  service: ServiceName,
  { id, dueAt }: DueRecord,
  untilMs: number,
): Promise<boolean> {
  const stillDue = 'dueAt = :found';
  const claim = {
    TableName: tableName(service),
    Key: keyAttributes(dueKey(id)),
    UpdateExpression: 'SET dueAt = :until ADD tries :one',
    ConditionExpression: stillDue,
    ExpressionAttributeValues: {
      ':found': { N: String(dueAt) },
      ':until': { N: String(untilMs) },
      ':one': { N: '1' },
    },
  };
  try {
    await sendOnce([
      { item: { Update: claim }, refusal: () => new RaceLost(`The record ${id} is not due.`) },
    ]);
    return true;
  } catch (error) {
    // A transaction that holds the record cancels or replaces it. One that fails leaves it due for the next sweep.
    const isTaken =
      error instanceof RaceLost ||
      error instanceof TransactionConflictException ||
      error instanceof TransactionCanceledException;
    if (isTaken) return false;
    throw error;
  }
}

/** A failed send does not count towards the sends after which a message is given up. */
export const countFailure = (service: ServiceName, { id }: OutboxRecord): Promise<void> =>
  sendOnce([
    {
      item: {
        Update: {
          TableName: tableName(service),
          Key: keyAttributes(dueKey(id)),
          UpdateExpression: 'ADD failures :one',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    },
  ]);
