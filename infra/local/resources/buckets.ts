import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketNotificationConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { DeclaredBucket } from './read.ts';

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
