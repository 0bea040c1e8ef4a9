import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { startQueueSource } from '../../../../infra/runtime/events/queue-source.ts';
import { continueChain, countRuns, isLoop } from '../../../../infra/runtime/events/recursion.ts';
import { consume } from '../../../../shared/queue/consume.ts';
import { send } from '../../../../shared/queue/send.ts';
import { deadLetterName, queueName } from '../../../../shared/settings/names.ts';
import { embeddedQueues } from './embedded-queues.ts';

const SERVICE = 'sandbox';
const sqs = embeddedQueues();
beforeAll(countRuns);

async function createQueue(name: string, deadLetter?: string): Promise<string> {
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${deadLetter}`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 5 });
  const { QueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: name, ...(deadLetter && { Attributes: { RedrivePolicy } }) }),
  );
  return QueueUrl;
}

/** A function that sends the next number to its own queue, or through another one, until it has run so often. */
async function chainOf(runs: number, { mayLoop, through = [] }: { mayLoop: boolean; through?: string[] }) {
  const own = `loop-${randomUUID()}`;
  const ran: number[] = [];
  const lines: string[] = [];
  const route = [own, ...through.map((name) => `${name}-${randomUUID()}`)];
  const deadUrl = await createQueue(deadLetterName(SERVICE, own));
  for (const [at, queue] of route.entries()) {
    const name = queueName(SERVICE, queue);
    const queueUrl = await createQueue(name, deadLetterName(SERVICE, own));
    const handler = consume({ service: SERVICE, queue, message: z.number(), maxReceives: 5 }, async (n) => {
      if (queue === own) ran.push(n);
      const next = route[at + 1] ?? own;
      if (n < runs) await send(SERVICE, next, next === own ? n + 1 : n);
    });
    const source = startQueueSource(
      {
        functionName: `function of ${name}`,
        queueName: name,
        batchSize: 1,
        windowSeconds: 0,
        reportsItemFailures: true,
        concurrency: 1,
        mayLoop,
      },
      { sqs, queueUrl, queueArn: `arn:aws:sqs:us-east-1:000000000000:${name}` },
      async (_, event) => ({ ok: true, answer: await handler(event as SQSEvent) }),
      (line) => lines.push(line),
    );
    onTestFinished(() => source.stop());
  }
  await send(SERVICE, own, 1);
  const deadLetters = async () =>
    (
      await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: deadUrl,
          MessageAttributeNames: ['All'],
          VisibilityTimeout: 0,
          MaxNumberOfMessages: 10,
        }),
      )
    ).Messages ?? [];
  return { own, ran, lines, deadLetters };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test('a function that sends to its own queue is stopped after 16 runs, and the message is a dead letter', async () => {
  const { own, ran, lines, deadLetters } = await chainOf(20, { mayLoop: false });
  await expect.poll(() => lines).toHaveLength(1);
  expect(ran).toEqual(upTo(16));
  expect(lines[0]).toContain(`${deadLetterName(SERVICE, own)}.`);
  expect(lines[0]).toContain('recursiveLoop: Allow');
  const [letter] = await deadLetters();
  expect(letter?.Body).toBe('17');
  expect(letter?.MessageAttributes?.reason?.StringValue).toContain('recursive loop');
  // An operator who sends it to its queue again begins a new chain.
  expect(letter?.MessageAttributes?.hops).toBeUndefined();
});

test('a function that is declared recursive runs on', async () => {
  const { ran, lines, deadLetters } = await chainOf(20, { mayLoop: true });
  await expect.poll(() => ran).toEqual(upTo(20));
  expect([lines, await deadLetters()]).toEqual([[], []]);
});

test('a loop through the queue of another function counts too', async () => {
  const { ran, lines } = await chainOf(20, { mayLoop: false, through: ['other'] });
  await expect.poll(() => lines).toHaveLength(1);
  expect(ran).toEqual(upTo(16));
});

test('a batch counts as its shortest chain, so that no message is stopped for the chain of another', async () => {
  const own = `mixed-${randomUUID()}`;
  const QueueUrl = await createQueue(queueName(SERVICE, own));
  const nextOf = async (batch: Message[]): Promise<Message> => {
    await continueChain(batch, own, () => send(SERVICE, own, 'next'));
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'] }),
    );
    return Messages?.[0] ?? expect.fail('No message.');
  };
  let last: Message = {};
  for (let run = 0; run < 16; run++) last = await nextOf([last]);
  expect(isLoop(last, own)).toBe(true);
  expect(isLoop(await nextOf([last, last]), own)).toBe(true);
  expect(isLoop(await nextOf([last, {}]), own)).toBe(false);
});
