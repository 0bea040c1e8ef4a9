import { GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { answeredHere } from '../embedded/provided.ts';
import { withoutLog } from '../net/without-log.ts';
import { queueUrlVariable } from '../settings/names.ts';

// SQS answers a send in milliseconds. A request without an answer by now is lost and is sent again.
const ANSWER_WITHIN_MS = 8_000;

let client: SQSClient | undefined;

/**
 * The SQS client of this process, created at first use.
 * @example await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody }));
 */
export function sqs(): SQSClient {
  client ??= answeredHere(
    'queues',
    withoutLog(
      new SQSClient({
        // The configured endpoint decides where to call, not the host name in a queue's URL.
        useQueueUrlAsEndpoint: false,
        requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
      }),
    ),
  );
  return client;
}

const urls = new Map<string, Promise<string>>();

/**
 * The URL of a queue. A deployment has those of its service's queues in the environment. Any other is requested once:
 * it never changes while the queue exists.
 */
export async function queueUrl(name: string): Promise<string> {
  return process.env[queueUrlVariable(name)] ?? requestUrlOnce(name);
}

function requestUrlOnce(name: string): Promise<string> {
  const known = urls.get(name);
  if (known) return known;
  const requested = requestUrl(name).catch((error: unknown) => {
    urls.delete(name);
    throw error;
  });
  urls.set(name, requested);
  return requested;
}

async function requestUrl(name: string): Promise<string> {
  try {
    const { QueueUrl } = await sqs().send(new GetQueueUrlCommand({ QueueName: name }));
    if (QueueUrl) return QueueUrl;
  } catch (error) {
    if ((error as Error).name !== 'QueueDoesNotExist') throw error;
  }
  throw new Error(`The queue ${name} does not exist. Declare it in infra/ beside its dead-letter queue.`);
}
