import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { toRecord } from '../../infra/local/events/lambda-batch.ts';
import { queueUrl, sqs } from '../../shared/queue/client.ts';
import { queueName, type ServiceName } from '../../shared/settings/names.ts';
import { type Calls, countCalls, sumOf } from '../calls.ts';
import type { Answered } from '../http-event.ts';

// The AWS calls of each main operation, counted until its answer, for one caller whose process is warm. A call costs
// five to twenty milliseconds on AWS, and its part of the bill.

const USUAL = { warmUps: 2, rounds: 5 };

/** Calls, and items of write transactions where they are limited too. */
type Limit = number | { readonly calls: number; readonly items: number };

type Counted = { readonly operation: string; readonly limit: number; readonly calls: Calls };

/** Limits on the calls of operations, and the table of what they took. */
export function callLimits() {
  const counted: Counted[] = [];

  /**
   * The fewest of some rounds: now and then one pays for many, such as a fold of counts, or has a renewal beside it.
   * `without` is taken off: calls that are not the operation's.
   */
  const requireAtMost = async (
    limit: Limit,
    operation: string,
    prepare: () => Promise<() => Promise<unknown>>,
    without: Calls['byCommand'] = {},
    { warmUps, rounds: counts } = USUAL,
  ): Promise<void> => {
    const rounds: Calls[] = [];
    for (let n = 0; n < warmUps + counts; n++) {
      const run = await prepare();
      rounds.push(takeOff(await countCalls(run), without));
    }
    const [calls] = rounds.slice(warmUps).toSorted((a, b) => a.total - b.total);
    if (!calls) throw new Error('Nothing was counted.');
    const atMost = typeof limit === 'number' ? { calls: limit } : limit;
    counted.push({ operation, limit: atMost.calls, calls });
    expect(calls.total, `${operation}: ${JSON.stringify(calls.byCommand)}`).toBeGreaterThan(0);
    expect(calls.total, `${operation}: ${JSON.stringify(calls.byCommand)}`).toBeLessThanOrEqual(atMost.calls);
    if ('items' in atMost)
      expect(calls.items, `${operation}: ${JSON.stringify(calls.byKind)}`).toBeLessThanOrEqual(atMost.items);
  };

  return {
    requireAtMost,
    /** For `npm run bench -- calls`, which prints them as a table. */
    save(service: string): void {
      const { CALLS_FOLDER } = process.env;
      if (CALLS_FOLDER) writeFileSync(join(CALLS_FOLDER, `${service}.json`), JSON.stringify(counted));
    },
  };
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
