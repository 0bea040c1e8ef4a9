import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { toRecord } from '../../infra/runtime/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../shared/queue/client.ts';
import { queueName, type ServiceName, tableName } from '../../shared/settings/names.ts';
import { documentedRows, isOperation, type Operation, operationCells } from '../docs/aws/tables.ts';
import { type Calls, countCalls, sumOf } from '../measure/calls.ts';
import type { Answered } from '../requests/http-event.ts';

// The AWS calls of each main operation, counted until its answer, for one caller whose process is warm. A call costs
// five to twenty milliseconds on AWS, and its part of the bill.

type Rounds = {
  readonly warmUps: number;
  readonly rounds: number;
  /** Calls that depend on what comes together in one turn: reads and commits that the process shares. */
  readonly varyBy?: number;
};
const USUAL: Rounds = { warmUps: 2, rounds: 5 };

/** Calls, and items of write transactions where they are limited too. */
type Limit = number | { readonly calls: number; readonly items: number };

type Counted = { readonly operation: string; readonly limit: number; readonly calls: Calls };

/** Limits on the calls of operations, and the table of what they took. */
export function callLimits() {
  const counted: Counted[] = [];

  /**
   * The fewest of some rounds: now and then one pays for many, such as a fold of counts, or has a renewal beside it. A
   * round with the calls of docs/aws.md is the last. `without` is taken off: calls that are not the operation's.
   */
  const requireAtMost = async (
    limit: Limit,
    operation: string,
    prepare: () => Promise<() => Promise<unknown>>,
    without: Calls['byCommand'] = {},
    { warmUps, rounds: counts, varyBy = 0 } = USUAL,
  ): Promise<void> => {
    const atMost = typeof limit === 'number' ? { calls: limit } : limit;
    const isAsExpected = ({ total, items }: Calls): boolean =>
      total <= atMost.calls && (!('items' in atMost) || items <= atMost.items);
    const isDocumented = (calls: Calls): boolean =>
      !isOperation(operation) || isSameRow(rowOf(operation), operationCells(operation, calls));
    const rounds: Calls[] = [];
    for (let n = 0; n < warmUps + counts; n++) {
      const run = await prepare();
      // The sandbox plays the parts of others.
      const counted = await countCalls(run, undefined, { without: [tableName('sandbox')] });
      const calls = takeOff(counted, without);
      rounds.push(calls);
      if (n >= warmUps && !CALLS_FOLDER && isAsExpected(calls) && isDocumented(calls)) break;
    }
    const [calls] = rounds.slice(warmUps).toSorted((a, b) => a.total - b.total);
    if (!calls) throw new Error('Nothing was counted.');
    counted.push({ operation, limit: atMost.calls, calls });
    expect(calls.total, `${operation}: ${JSON.stringify(calls.byCommand)}`).toBeGreaterThan(0);
    expect(calls.total, `${operation}: ${JSON.stringify(calls.byCommand)}`).toBeLessThanOrEqual(atMost.calls);
    if ('items' in atMost)
      expect(calls.items, `${operation}: ${JSON.stringify(calls.byKind)}`).toBeLessThanOrEqual(atMost.items);
    if (isOperation(operation) && !CALLS_FOLDER) requireDocumented(operation, calls, varyBy);
  };

  return {
    requireAtMost,
    /** For `npm run bench -- calls`, which prints them as a table. */
    save: (service: string): void => saveCounted(service, counted),
  };
}

const rowOf = (operation: Operation): readonly string[] =>
  documentedRows('operations').find(([name]) => name === operation) ?? [];

const isSameRow = (row: readonly string[], counted: readonly string[]): boolean =>
  row.join('|') === counted.join('|');

const OUTDATED = 'docs/aws.md has other numbers: npm run bench -- calls writes these.';

function requireDocumented(operation: Operation, calls: Calls, varyBy: number): void {
  const row = rowOf(operation);
  const counted = operationCells(operation, calls);
  if (varyBy === 0) expect(row, OUTDATED).toEqual(counted);
  const [, total, items] = row;
  expect(items, OUTDATED).toBe(counted[2]);
  expect(Math.abs(Number(total) - calls.total), OUTDATED).toBeLessThanOrEqual(varyBy);
}

const { CALLS_FOLDER } = process.env;

/** For `npm run bench -- calls`, under the name of a file. */
export function saveCounted(name: string, counted: unknown): void {
  if (CALLS_FOLDER) writeFileSync(join(CALLS_FOLDER, `${name}.json`), JSON.stringify(counted));
}

function takeOff({ byCommand, ...calls }: Calls, without: Calls['byCommand']): Calls {
  const left = Object.fromEntries(
    Object.entries(byCommand)
      .map(([command, count]) => [command, count - (without[command] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  return { ...calls, total: sumOf(left), byCommand: left };
}

/** An operation that needs nothing made for each round. */
export const always = (run: () => Promise<unknown>) => async () => run;

export const answeredWith = (status: number, answer: Answered): Answered => {
  if (answer.status !== status) throw new Error(`It was answered ${answer.status}: ${answer.text}`);
  return answer;
};

/** The next message of a queue, as the host hands it over and has deleted it. */
export async function nextEvent(service: ServiceName, queue: string) {
  const QueueUrl = await queueUrl(queueName(service, queue));
  const { Messages: [message] = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl,
      WaitTimeSeconds: 5,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  if (!message) throw new Error('No message came.');
  await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
  return { Records: [toRecord(message, '')] };
}
