import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { openStores } from '../../../shared/embedded/stores.ts';
import { runs } from '../../faults/fuzz.ts';
import { bothObjects, outcomeOf } from './both.ts';
import { judgeOf } from './engine.ts';
import { newJudge } from './known.ts';
import { type Command, commands, type Tag } from './object-commands.ts';
import { OBJECT_DIFFERENCES } from './object-differences.ts';

const SEQUENCES = runs(1_000, 0.03);

const stores = openStores();
afterAll(stores.close);
const MIN_PART = Buffer.alloc(5 * 1_024 * 1_024, 'p');

test('the embedded objects answer random commands as an engine does that others wrote', async () => {
  const { name, endpoint } = judgeOf('S3');
  const both = bothObjects(stores, endpoint);
  const judge = newJudge(name, OBJECT_DIFFERENCES);
  let sequence = 0;

  async function follow(steps: readonly Command[]): Promise<void> {
    sequence += 1;
    const Bucket = `judged-${process.pid}-${sequence}`;
    const sides = both.map((client) => ({
      client,
      uploads: [] as string[],
      tags: new Map<string, string>(),
    }));
    for (const { client } of sides) await client.send(new CreateBucketCommand({ Bucket }));
    for (const step of [...steps, { do: 'list' } as Command]) {
      const [ours, theirs] = await Promise.all(sides.map((side) => runOn(side, Bucket, step)));
      // One wrote, and the other did not.
      if (!judge.agree(step, ours, theirs) && isRefused(ours) !== isRefused(theirs) && !READS.has(step.do))
        return;
    }
  }

  await fc.assert(fc.asyncProperty(commands, follow), { numRuns: SEQUENCES, endOnFailure: true });
  judge.report();
});

const READS: ReadonlySet<Command['do']> = new Set(['get', 'head', 'list', 'uploads'] as const);
const isRefused = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'error' in outcome;

type Side = { readonly client: S3Client; readonly uploads: string[]; readonly tags: Map<string, string> };

const OTHER = `"${'0'.repeat(32)}"`;
const tagOf = ({ tags }: Side, key: string, tag: Tag | undefined): string | undefined =>
  tag === undefined || tag === '*' ? tag : tag === 'other' ? OTHER : (tags.get(key) ?? OTHER);

async function runOn(side: Side, Bucket: string, step: Command): Promise<unknown> {
  const { client } = side;
  const at = 'key' in step ? { Bucket, Key: step.key } : { Bucket, Key: '' };
  switch (step.do) {
    case 'put':
      return outcomeOf(
        client.send(
          new PutObjectCommand({
            ...at,
            Body: step.body,
            ContentType: step.type,
            ...(step.isNew && { IfNoneMatch: '*' }),
          }),
        ),
        ({ ETag = '' }) => {
          side.tags.set(step.key, ETag);
          return { ETag };
        },
      );
    case 'get':
      return outcomeOf(
        client.send(
          new GetObjectCommand({ ...at, Range: step.range, IfMatch: tagOf(side, step.key, step.tag) }),
        ),
        async ({ Body, ContentLength, ContentRange, ContentType, ETag }) => ({
          body: await Body?.transformToString(),
          ...{ ContentLength, ContentRange, ContentType, ETag },
        }),
      );
    case 'head':
      return outcomeOf(client.send(new HeadObjectCommand(at)), ({ ContentLength, ContentType, ETag }) => ({
        ContentLength,
        ContentType,
        ETag,
      }));
    case 'delete':
      return outcomeOf(
        client.send(new DeleteObjectCommand({ ...at, IfMatch: tagOf(side, step.key, step.tag) })),
      );
    case 'deleteMany':
      return outcomeOf(
        client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects: step.keys.map((Key) => ({ Key })) } }),
        ),
        ({ Deleted = [], Errors = [] }) => ({ deleted: Deleted.map(({ Key }) => Key).sort(), Errors }),
      );
    case 'copy':
      return outcomeOf(
        client.send(
          new CopyObjectCommand({
            ...at,
            CopySource: `${Bucket}/${encodeURIComponent(step.from)}`,
            CopySourceIfMatch: tagOf(side, step.from, step.tag),
          }),
        ),
        ({ CopyObjectResult: { ETag = '' } = {} }) => {
          side.tags.set(step.key, ETag);
          return { ETag };
        },
      );
    case 'list':
      return outcomeOf(listAll(client, Bucket, step), (pages) => pages);
    case 'upload':
      return outcomeOf(
        client.send(new CreateMultipartUploadCommand({ ...at, ContentType: step.type })),
        ({ UploadId = '' }) => {
          side.uploads.push(UploadId);
          return 'begun';
        },
      );
    case 'part':
      return outcomeOf(
        client.send(
          new UploadPartCommand({
            ...at,
            UploadId: side.uploads[step.upload] ?? 'none',
            PartNumber: step.number,
            Body: step.isLarge ? MIN_PART : 'small',
          }),
        ),
        ({ ETag = '' }) => {
          side.tags.set(`part ${step.upload} ${step.number}`, ETag);
          return { ETag };
        },
      );
    case 'complete':
      return outcomeOf(
        client.send(
          new CompleteMultipartUploadCommand({
            ...at,
            UploadId: side.uploads[step.upload] ?? 'none',
            MultipartUpload: {
              Parts: step.numbers.map((PartNumber) => ({
                PartNumber,
                ETag: side.tags.get(`part ${step.upload} ${PartNumber}`) ?? OTHER,
              })),
            },
            ...(step.isNew && { IfNoneMatch: '*' }),
          }),
        ),
        ({ ETag = '' }) => {
          side.tags.set(step.key, ETag);
          return { ETag };
        },
      );
    case 'abort':
      return outcomeOf(
        client.send(
          new AbortMultipartUploadCommand({ ...at, UploadId: side.uploads[step.upload] ?? 'none' }),
        ),
      );
    case 'uploads':
      return outcomeOf(client.send(new ListMultipartUploadsCommand({ Bucket })), ({ Uploads = [] }) =>
        Uploads.map(({ Key, UploadId = '' }) => [Key, side.uploads.indexOf(UploadId)]).sort(),
      );
  }
}

async function listAll(client: S3Client, Bucket: string, step: Command & { do: 'list' }) {
  const { prefix, delimiter, max, after } = step;
  const pages: unknown[] = [];
  let token: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: prefix,
        Delimiter: delimiter,
        MaxKeys: max,
        StartAfter: after,
        ContinuationToken: token,
      }),
    );
    const { Contents = [], CommonPrefixes = [], KeyCount, IsTruncated } = page;
    pages.push({
      keys: Contents.map(({ Key, Size, ETag }) => [Key, Size, ETag]),
      folders: CommonPrefixes.map(({ Prefix }) => Prefix),
      ...{ KeyCount, IsTruncated },
    });
    token = page.NextContinuationToken;
  } while (token);
  return pages;
}
