import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import {
  DeleteObjectsCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { forEachConcurrently } from '../../shared/async/for-each-concurrently.ts';
import type { Context } from './context.ts';
import { functionsIn, type Packaged, type PackagedTemplate } from './packages.ts';

// Not the client of the services' own stores, which this process may have in itself.
const connectTo = (region: string): S3Client =>
  new S3Client({
    region,
    // A custom endpoint has one host name, so the bucket is in the path.
    forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL),
  });

const BUCKET_ID = 'ServerlessDeploymentBucket';

/** The bucket of a stack's code; undefined where it has none. */
export async function codeBucketOf(
  { cloudFormation }: Context,
  StackName: string,
): Promise<string | undefined> {
  const asked = new DescribeStackResourceCommand({ StackName, LogicalResourceId: BUCKET_ID });
  try {
    const { StackResourceDetail: found } = await cloudFormation.send(asked);
    // A stack whose creation was taken back still names it.
    return found?.ResourceStatus?.startsWith('DELETE') ? undefined : found?.PhysicalResourceId;
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}

const PUTS_AT_ONCE = 4;

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Puts a file under the name of its content, so that the same content is put once. */
async function putOnce(
  client: S3Client,
  Bucket: string,
  Key: string,
  Body: Uint8Array | string,
): Promise<void> {
  try {
    await client.send(new HeadObjectCommand({ Bucket, Key }));
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode !== 404) throw error;
    await client.send(new PutObjectCommand({ Bucket, Key, Body }));
  }
}

/**
 * Uploads the code of a service, and gives the template with its places. A function whose code is the same has the same
 * place as before: CloudFormation leaves it alone.
 */
export async function uploadCode(
  { root, region }: Context,
  { template }: Packaged,
  bucket: string,
): Promise<PackagedTemplate> {
  const client = connectTo(region);
  const placed = structuredClone(template);
  await forEachConcurrently(PUTS_AT_ONCE, functionsIn(placed), async ({ Properties }) => {
    const code = Properties?.Code as { S3Key: string };
    const bytes = await readFile(join(root, 'dist', basename(code.S3Key)));
    code.S3Key = `code/${hashOf(bytes)}.zip`;
    await putOnce(client, bucket, code.S3Key, bytes);
  });
  client.destroy();
  return placed;
}

/** Uploads a template, which is larger than a request may be, and gives its address. */
export async function uploadTemplate({ region }: Context, template: object, bucket: string): Promise<string> {
  const client = connectTo(region);
  const text = JSON.stringify(template);
  const key = `templates/${hashOf(text)}.json`;
  await putOnce(client, bucket, key, text);
  client.destroy();
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${bucket}.s3.${region}.${domain}/${key}`;
}

/** Deletes the code and the templates: CloudFormation deletes no bucket that holds anything. */
export async function emptyCodeBucket({ region }: Context, bucket: string): Promise<void> {
  const client = connectTo(region);
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
  }
  client.destroy();
}
