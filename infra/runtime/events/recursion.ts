// Lambda's detection of recursive loops: function -> queue -> the same function.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  type SendMessageBatchCommandInput,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type ProvidedStores, provideStores } from '../../../shared/embedded/provided.ts';
import { number, text } from '../../../shared/queue/envelope.ts';

// Lambda counts the runs of a function in the trace header of a message, and stops a function that is not declared
// recursive at about the 16th. The queues of this process have an attribute for it, which they set themselves:
//
//   tasks   |--run 1--sends-->|--run 2--sends-->|--run 3--...
//   hops      none             tasks=1           tasks=2
//
// A batch counts as its shortest chain: who sent which message is not known, and no innocent message may be stopped. A
// message that the sweeper sends begins a new chain, as on AWS. Queues of other processes, such as LocalStack's, count
// nothing.

/** The message attribute with the runs so far in the chain of a message: for each queue, those of its function. */
const HOPS = 'hops';
/** How often Lambda runs a function in one chain of messages. */
const MAX_RUNS = 16;

type Runs = ReadonlyMap<string, number>;
const chain = new AsyncLocalStorage<Runs>();

/** Has the queues of this process count the runs in the chain of each message that is sent. */
export function countRuns(): void {
  const stores = provideStores(undefined);
  const queues = stores?.queues;
  provideStores(queues ? { ...stores, queues: { ...queues, run: counting(queues.run) } } : stores);
}

type Run = NonNullable<ProvidedStores['queues']>['run'];

const counting =
  (run: Run): Run =>
  (command, input, options) =>
    run(command, command === 'SendMessageBatch' ? withRuns(input) : input, options);

// Services send by this command only.
function withRuns(input: SendMessageBatchCommandInput): never {
  const runs = chain.getStore();
  const hops = runs && text([...runs].map(([name, count]) => `${name}=${count}`).join(','));
  const Entries = input.Entries?.map((entry) =>
    hops ? { ...entry, MessageAttributes: { ...entry.MessageAttributes, [HOPS]: hops } } : entry,
  );
  return { ...input, Entries } as never;
}

/** Handles a batch of a queue: messages that the work sends are the next ones in its chain. */
export function continueChain<T>(
  batch: readonly Message[],
  queueName: string,
  work: () => Promise<T>,
): Promise<T> {
  const [first = new Map<string, number>(), ...others] = batch.map(runsOf);
  const runs = new Map(
    [...first].map(([name, count]) => [name, Math.min(count, ...others.map((each) => each.get(name) ?? 0))]),
  );
  return chain.run(runs.set(queueName, (runs.get(queueName) ?? 0) + 1), work);
}

function runsOf({ MessageAttributes }: Message): Runs {
  const pairs = MessageAttributes?.[HOPS]?.StringValue?.split(',') ?? [];
  return new Map(pairs.map((pair) => pair.split('=')).map(([name = '', count]) => [name, Number(count)]));
}

/** Whether the function of a queue has run so often in the chain of this message that Lambda would not run it again. */
export const isLoop = (message: Message, queueName: string): boolean =>
  (runsOf(message).get(queueName) ?? 0) >= MAX_RUNS;

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
