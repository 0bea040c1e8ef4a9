import { DeleteTableCommand, type DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DeleteQueueCommand, paginateListQueues, type SQSClient } from '@aws-sdk/client-sqs';
import { s3 as getS3 } from '../../shared/files/client.ts';
import { sqs as getSqs } from '../../shared/queue/client.ts';
import { dynamo as getDynamo } from '../../shared/store/client.ts';

export type Removed = { readonly tables: number; readonly buckets: number; readonly queues: number };

/** Removes every table, bucket and queue of a stage, and of the stages whose names begin with it and a dash. */
export async function removeStage(stage: string): Promise<Removed> {
  const prefix = `sinete-${stage}-`;
  const [dynamo, s3, sqs] = [getDynamo(), getS3(), getSqs()];
  const [tables, buckets, queues] = await Promise.all([
    removeTables(dynamo, prefix),
    removeBuckets(s3, prefix),
    removeQueues(sqs, prefix),
  ]);
  return { tables, buckets, queues };
}

async function removeTables(dynamo: DynamoDBClient, prefix: string): Promise<number> {
  const names: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: dynamo }, {}))
    names.push(...TableNames.filter((name) => name.startsWith(prefix)));
  for (const TableName of names) await dynamo.send(new DeleteTableCommand({ TableName }));
  return names.length;
}

async function removeBuckets(s3: S3Client, prefix: string): Promise<number> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  const names = Buckets.flatMap(({ Name }) => (Name?.startsWith(prefix) ? [Name] : []));
  for (const Bucket of names) {
    await emptyBucket(s3, Bucket);
    await s3.send(new DeleteBucketCommand({ Bucket }));
  }
  return names.length;
}

const listVersions = (s3: S3Client, Bucket: string): Promise<Partial<ListObjectVersionsCommandOutput>> =>
  s3.send(new ListObjectVersionsCommand({ Bucket })).catch((error: Error) => {
    if (error.name !== 'NotImplemented') throw error;
    return {};
  });

// A bucket with an object in it cannot be deleted, not even with an old version or a marker of a deletion. A store
// without versions lists its objects only as such.
async function emptyBucket(s3: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await listVersions(s3, Bucket);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    const kept = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    const left = kept.length > 0 ? kept : Contents.map(({ Key }) => ({ Key, VersionId: undefined }));
    if (left.length === 0) return;
    await Promise.all(
      left.map(({ Key, VersionId }) => s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))),
    );
  }
}

async function removeQueues(sqs: SQSClient, QueueNamePrefix: string): Promise<number> {
  const urls: string[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues(
    { client: sqs },
    { QueueNamePrefix, MaxResults: 1_000 },
  ))
    urls.push(...QueueUrls);
  for (const QueueUrl of urls) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  return urls.length;
}
