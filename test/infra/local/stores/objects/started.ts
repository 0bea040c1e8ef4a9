import {
  CreateBucketCommand,
  type Event,
  PutBucketNotificationConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { startObjectsAndQueues } from '../../../../../infra/local/stores/objects-and-queues.ts';

type S3Record = {
  readonly eventName: string;
  readonly eventTime: string;
  readonly s3: {
    readonly bucket: { readonly name: string; readonly arn: string };
    readonly object: {
      readonly key: string;
      readonly size: number;
      readonly eTag: string;
      readonly sequencer: string;
    };
  };
};

export type Configuration = { event?: Event; arn: string; prefix?: string; suffix?: string };

/** S3 and SQS of a test's own, in memory unless there is a folder. No call is tried again, so that a failure is seen. */
export async function startS3AndSqs(dataDir?: string) {
  const { endpoint, stop } = await startObjectsAndQueues({ dataDir });
  const s3 = new S3Client({ endpoint, forcePathStyle: true, maxAttempts: 1 });
  const sqs = new SQSClient({ endpoint });

  const createBucket = async (): Promise<string> => {
    const Bucket = `files-${crypto.randomUUID()}`;
    await s3.send(new CreateBucketCommand({ Bucket }));
    return Bucket;
  };

  const createQueue = async () => {
    const QueueName = `arrivals-${crypto.randomUUID()}`;
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName }));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
    );
    return { url: QueueUrl, arn: Attributes?.QueueArn ?? '' };
  };

  const configure = (Bucket: string, all: Configuration[]) => {
    const QueueConfigurations = all.map(({ event = 's3:ObjectCreated:*', arn, prefix, suffix }) => {
      const FilterRules = [
        ...(prefix ? [{ Name: 'prefix' as const, Value: prefix }] : []),
        ...(suffix ? [{ Name: 'suffix' as const, Value: suffix }] : []),
      ];
      return { QueueArn: arn, Events: [event], Filter: { Key: { FilterRules } } };
    });
    const NotificationConfiguration = { QueueConfigurations };
    return s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
  };

  /** Takes the records that are in a queue at this moment. */
  const receive = async (QueueUrl: string): Promise<S3Record[]> => {
    const records: S3Record[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      if (Messages.length === 0) return records;
      for (const { Body = '', ReceiptHandle } of Messages) {
        records.push(...JSON.parse(Body).Records);
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
  };

  return { endpoint, stop, s3, sqs, createBucket, createQueue, configure, receive };
}
