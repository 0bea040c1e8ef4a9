import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStores } from '../../../shared/embedded/stores.ts';
import { runs } from '../../faults/fuzz.ts';
import { bothQueues, outcomeOf } from './both.ts';
import { judgeOf } from './engine.ts';
import { newJudge } from './known.ts';
import { type Command, PHASE_SECONDS, type Phases, phases } from './queue-commands.ts';
import { QUEUE_DIFFERENCES } from './queue-differences.ts';

const SEQUENCES = runs(400, 0.05);
// Each waits most of the time.
const AT_ONCE = 10;
// Whatever falls due does so two seconds or more from the turn of a phase. LocalStack looks at it every second.
const MAX_PHASE_MS: Readonly<Record<string, number>> = { moto: 1_800, localstack: 900 };

const START_MS = Date.now();
let sequences = 0;

//   phase   |--commands--|          |--commands--|          |--commands--|
//   engine  0 s          (it waits)  5 s                     10 s
//   ours    its clock goes on by 5 s in no time; timeouts are of 0, 3, 7 or 8 s
test('the embedded queues answer random commands as an engine does that others wrote', async () => {
  const { name, endpoint } = judgeOf('SQS');
  const judge = newJudge(name, QUEUE_DIFFERENCES);
  let slow = 0;

  async function follow({ maxReceives, phases: all }: Phases): Promise<void> {
    let nowMs = START_MS;
    const stores = openStores({ now: () => nowMs });
    sequences += 1;
    const id = `judged-${process.pid}-${sequences}`;
    try {
      const sides = await Promise.all(
        bothQueues(stores, endpoint).map((client) => sideOf(client, id, maxReceives)),
      );
      const startMs = performance.now();
      for (const [turn, phase] of all.entries()) {
        // Where it should have begun: a machine that is busy begins late.
        const begunMs = startMs + turn * PHASE_SECONDS * 1_000;
        for (const command of [...phase, { do: 'count' } as const]) {
          const [ours, theirs] = await Promise.all(sides.map((side) => runOn(side, command)));
          // A busy machine: what was in time and what was not, is not known.
          if (performance.now() - begunMs > Number(MAX_PHASE_MS[name])) {
            slow += 1;
            return;
          }
          if (!judge.agree(command, ours, theirs)) return;
        }
        await setTimeout(begunMs + PHASE_SECONDS * 1_000 - performance.now());
        nowMs += PHASE_SECONDS * 1_000;
      }
    } finally {
      stores.close();
    }
  }

  const sampled = fc.sample(phases, SEQUENCES);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = sampled.pop(); next; next = sampled.pop()) await follow(next);
    }),
  );
  judge.report();
  console.log(`${slow} of ${SEQUENCES} sequences given up: the machine was too busy.`);
  expect(slow).toBeLessThan(SEQUENCES * 0.75);
});

type Side = {
  readonly client: SQSClient;
  readonly queue: string;
  readonly dead: string;
  /** The handles of a body, the newest last. */
  readonly handles: Map<string, string[]>;
};

async function sideOf(client: SQSClient, id: string, maxReceiveCount: number | undefined): Promise<Side> {
  const make = async (QueueName: string, Attributes: Record<string, string>): Promise<string> =>
    (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '';
  const dead = await make(`${id}-dead`, {});
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${id}-dead`;
  const redrive = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }) };
  const queue = await make(id, { VisibilityTimeout: '4', ...(maxReceiveCount && redrive) });
  return { client, queue, dead, handles: new Map() };
}

const COUNTS = ['', 'NotVisible', 'Delayed'].map((which) => `ApproximateNumberOfMessages${which}`);

async function runOn({ client, queue: QueueUrl, dead, handles }: Side, command: Command): Promise<unknown> {
  const handleOf = (body: string): string => handles.get(body)?.at(-1) ?? 'none';
  switch (command.do) {
    case 'send':
      return outcomeOf(
        client.send(
          new SendMessageCommand({
            QueueUrl,
            MessageBody: command.body,
            DelaySeconds: command.delay,
            MessageAttributes: attributesOf(command.attribute),
          }),
        ),
        ({ MD5OfMessageBody, MD5OfMessageAttributes }) => ({ MD5OfMessageBody, MD5OfMessageAttributes }),
      );
    case 'sendMany': {
      const Entries = command.bodies.map((MessageBody, n) => ({ Id: String(n), MessageBody }));
      return outcomeOf(
        client.send(new SendMessageBatchCommand({ QueueUrl, Entries })),
        ({ Successful = [] }) => Successful.map(({ Id, MD5OfMessageBody }) => [Id, MD5OfMessageBody]),
      );
    }
    case 'receive': {
      const url = command.isDead ? dead : QueueUrl;
      const VisibilityTimeout = command.timeout;
      return outcomeOf(receive(client, url, VisibilityTimeout), (messages) => {
        for (const { Body = '', ReceiptHandle = '' } of messages)
          if (!command.isDead) handles.set(Body, [...(handles.get(Body) ?? []), ReceiptHandle]);
        return messages
          .map(({ Body, MD5OfBody, Attributes, MessageAttributes }) => ({
            ...{ Body, MD5OfBody },
            receives: Attributes?.ApproximateReceiveCount,
            attribute: MessageAttributes?.kind?.StringValue,
          }))
          .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      });
    }
    case 'remove': {
      const ReceiptHandle = handleOf(command.body);
      return outcomeOf(client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })));
    }
    case 'change': {
      const ReceiptHandle = handleOf(command.body);
      const VisibilityTimeout = command.timeout;
      return outcomeOf(
        client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })),
      );
    }
    case 'count':
      return outcomeOf(
        client.send(
          new GetQueueAttributesCommand({
            QueueUrl,
            AttributeNames: COUNTS as ['ApproximateNumberOfMessages'],
          }),
        ),
        ({ Attributes }) => COUNTS.map((each) => Attributes?.[each as 'ApproximateNumberOfMessages']),
      );
  }
}

const attributesOf = (StringValue: string | undefined) =>
  StringValue === undefined ? undefined : { kind: { DataType: 'String', StringValue } };

/** All that can be received now, each once. A call may give fewer than there are. */
async function receive(
  client: SQSClient,
  QueueUrl: string,
  VisibilityTimeout: number | undefined,
): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    all.push(...Messages);
    // Visible at once, it would be received again.
    if (Messages.length === 0 || VisibilityTimeout === 0) return all;
  }
}
