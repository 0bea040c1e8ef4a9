import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketNotificationConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { s3 } from '../../../shared/files/client.ts';
import { sqs } from '../../../shared/queue/client.ts';
import { dynamo } from '../../../shared/store/client.ts';
import type { Declared, DeclaredBucket, DeclaredQueue } from './read.ts';
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

export async function createBucket(s3: S3Client, { name, cors }: DeclaredBucket) {
  if (!(await exists(s3, name))) await created(s3, name);
  if (cors.length > 0)
    await s3.send(new PutBucketCorsCommand({ Bucket: name, CORSConfiguration: { CORSRules: cors } }));
  else await s3.send(new DeleteBucketCorsCommand({ Bucket: name }));
}

/** Tells S3 of the queues that a bucket notifies, or that it notifies none; they must be there. */
export async function notifyQueues(s3: S3Client, { name, notifications }: DeclaredBucket) {
  const QueueConfigurations = notifications.map(({ queueArn, event, prefix, suffix }) => ({
    QueueArn: queueArn,
    Events: [event],
    Filter: {
      Key: {
        FilterRules: [
          { Name: 'prefix' as const, Value: prefix },
          { Name: 'suffix' as const, Value: suffix },
        ].filter(({ Value }) => Value !== ''),
      },
    },
  }));
  await s3.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: name,
      NotificationConfiguration: { QueueConfigurations },
      // AWS would look for the queue's policy, which only CloudFormation creates.
      SkipDestinationValidation: true,
    }),
  );
}

async function exists(s3: S3Client, name: string): Promise<boolean> {
  try {
    await s3.send(new HeadBucketCommand({ Bucket: name }));
    return true;
  } catch (error) {
    if ((error as Error).name === 'NotFound') return false;
    throw error;
  }
}

async function created(s3: S3Client, name: string) {
  try {
    await s3.send(new CreateBucketCommand({ Bucket: name }));
  } catch (error) {
    // Another engine was first.
    if ((error as Error).name !== 'BucketAlreadyOwnedByYou') throw error;
  }
}

async function createQueue(sqs: SQSClient, { name, attributes }: DeclaredQueue) {
  try {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  } catch (error) {
    // It is there with other attributes. Each emulator spells the name of this error in its own way.
    if (!/Queue(Name|Already)Exists$/.test((error as Error).name)) throw error;
    await change(sqs, name, attributes);
  }
}

async function change(sqs: SQSClient, name: string, attributes: DeclaredQueue['attributes']) {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  const found = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  const now: Record<string, string | undefined> = found.Attributes ?? {};
  const different = Object.entries(attributes).filter(([key, value]) => now[key] !== value);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: Object.fromEntries(different) }));
}
