import type { SQSClient } from '@aws-sdk/client-sqs';
import { s3 } from '../../../shared/files/client.ts';
import { sqs } from '../../../shared/queue/client.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { createBucket, notifyQueues } from './buckets.ts';
import { createQueue } from './queues.ts';
import type { Declared } from './read.ts';
import { createTable } from './tables.ts';

/**
 * Creates what is missing in the stores of this process, or at the configured endpoints.
 * Two engines may do so at once. `say` is told, in one line each, what became of data that was there.
 * @example await createDeclared(readDeclared(process.cwd(), 'local'))
 */
export async function createDeclared(
  { tables, buckets, queues }: Declared,
  say: (line: string) => void = console.log,
): Promise<void> {
  await Promise.all([
    ...tables.map((table) => createTable(dynamo(), table, say)),
    ...buckets.map((bucket) => createBucket(s3(), bucket)),
    createQueues(sqs(), queues),
  ]);
  await Promise.all(buckets.map((bucket) => notifyQueues(s3(), bucket)));
}

// A queue names its dead-letter queue, which must be there first.
async function createQueues(sqs: SQSClient, queues: Declared['queues']) {
  const isLast = ({ attributes }: Declared['queues'][number]) => attributes.RedrivePolicy !== undefined;
  for (const group of [queues.filter((queue) => !isLast(queue)), queues.filter(isLast)]) {
    await Promise.all(group.map((queue) => createQueue(sqs, queue)));
  }
}
