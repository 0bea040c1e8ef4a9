import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../../shared/queue/client.ts';

/** A queue as SQS describes it. Its counts are approximate. */
export type Queue = {
  readonly name: string;
  readonly url: string;
  readonly arn: string;
  readonly waiting: number;
  readonly inWork: number;
  readonly delayed: number;
};

/**
 * Has SQS move the messages. The destination is named: SQS knows the origin of the messages that it moved to the dead
 * letters itself, and not of those that a consumer gave up and sent there with its reason.
 */
export async function startMove(from: Queue, to: Queue): Promise<void> {
  await sqs().send(new StartMessageMoveTaskCommand({ SourceArn: from.arn, DestinationArn: to.arn }));
}

const BATCH = 10;
// Longer than a send takes, so that no message is received twice.
const HIDDEN_SECONDS = 60;
// The consumer's reason of the last time.
const OF_THE_FAILURE = ['reason', 'attempts', 'failedAt', 'originalId'];

/**
 * Moves the messages that are there now, for emulators without StartMessageMoveTask. A message is deleted when it is
 * sent: killed in between, it comes twice, which every consumer must stand. Answers how many were moved.
 */
export async function moveByHand(from: Queue, to: Queue): Promise<number> {
  let moved = 0;
  // No more than there were: one that fails again at once would be moved for ever.
  while (moved < from.waiting) {
    const messages = await receive(from, Math.min(BATCH, from.waiting - moved));
    if (messages.length === 0) break;
    await send(to, messages);
    await remove(from, messages);
    moved += messages.length;
  }
  return moved;
}

async function receive({ url }: Queue, max: number): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: url,
      MaxNumberOfMessages: max,
      VisibilityTimeout: HIDDEN_SECONDS,
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}

async function send({ url, name }: Queue, messages: readonly Message[]): Promise<void> {
  const Entries = messages.map(({ Body, MessageAttributes = {} }, at) => {
    const kept = Object.entries(MessageAttributes).filter(
      ([attribute]) => !OF_THE_FAILURE.includes(attribute),
    );
    return {
      Id: String(at),
      MessageBody: Body,
      ...(kept.length > 0 && { MessageAttributes: Object.fromEntries(kept) }),
    };
  });
  const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  if (Failed[0]) throw new Error(`${name} did not take a message: ${Failed[0].Message ?? Failed[0].Code}`);
}

async function remove({ url, name }: Queue, messages: readonly Message[]): Promise<void> {
  const Entries = messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  const { Failed = [] } = await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  if (Failed[0]) throw new Error(`${name} keeps a message that was moved: ${Failed[0].Code}`);
}
