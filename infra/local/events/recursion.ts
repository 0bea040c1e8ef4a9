// Lambda's detection of recursive loops: function -> queue -> the same function.
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { number, text } from '../../../shared/queue/envelope.ts';
import { HOPS, hopsOf } from '../../../shared/queue/hops.ts';

/** How often Lambda runs a function in one chain of messages. */
const MAX_RUNS = 16;

/** Whether the function of a queue has run so often in the chain of this message that Lambda would not run it again. */
export const isLoop = ({ MessageAttributes }: Message, queueName: string): boolean =>
  hopsOf(MessageAttributes?.[HOPS]?.StringValue, queueName) >= MAX_RUNS;

type Loop = { sqs: SQSClient; queueUrl: string; functionName: string; queueName: string };

/**
 * Sends a message of a loop to its queue's dead-letter queue. Where there is none it is dropped, as by Lambda. Gives the
 * line for the log.
 */
export async function buryLoop(message: Message, loop: Loop): Promise<string> {
  const { sqs, queueUrl, functionName, queueName } = loop;
  const line = `${functionName} has run ${MAX_RUNS} times in a chain of messages to its own queue ${queueName}, and Lambda would stop it there. Declare recursiveLoop: Allow if it must send to itself.`;
  const deadLetter = await deadLetterOf(sqs, queueUrl);
  if (!deadLetter) return `${line} The message is dropped: the queue has no dead-letter queue.`;
  const { [HOPS]: _hops, ...kept } = message.MessageAttributes ?? {};
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: deadLetter }));
  await sqs.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: message.Body,
      MessageAttributes: {
        ...kept,
        reason: text('Lambda detects a recursive loop: the function sends to its own queue.'),
        attempts: number(Number(message.Attributes?.ApproximateReceiveCount ?? 1)),
        failedAt: text(new Date().toISOString()),
        originalId: text(message.MessageId ?? ''),
      },
    }),
  );
  return `${line} The message is in ${deadLetter}.`;
}

async function deadLetterOf(sqs: SQSClient, QueueUrl: string): Promise<string | undefined> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  if (!Attributes?.RedrivePolicy) return undefined;
  const { deadLetterTargetArn } = JSON.parse(Attributes.RedrivePolicy) as { deadLetterTargetArn: string };
  return deadLetterTargetArn.slice(deadLetterTargetArn.lastIndexOf(':') + 1);
}
