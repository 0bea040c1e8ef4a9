import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamo } from '../../../../infra/local/stores/dynamo/server.ts';
import { startObjectsAndQueues } from '../../../../infra/local/stores/objects-and-queues.ts';

async function started(dataDir?: string) {
  const { endpoint, stop } = await startObjectsAndQueues({ dataDir });
  const s3 = new S3Client({ endpoint, forcePathStyle: true });
  const sqs = new SQSClient({ endpoint });
  return { endpoint, stop, s3, sqs };
}

const connects = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port }, () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });

test('both emulators listen on this machine only', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  // 127.0.0.2 is this machine too, but not the address we listen on: a server on every interface answers there.
  const elsewhere = outside?.address ?? '127.0.0.2';
  for (const { endpoint, stop } of [await startObjectsAndQueues(), await startDynamo()]) {
    onTestFinished(stop);
    const port = Number(new URL(endpoint).port);
    expect(await connects('127.0.0.1', port)).toBe(true);
    expect(await connects(elsewhere, port)).toBe(false);
  }
});

test('objects and messages are there after a restart, and queue URLs lead to the new port', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-s3-sqs-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await started(dataDir);
  await first.s3.send(new CreateBucketCommand({ Bucket: 'files' }));
  await first.s3.send(new PutObjectCommand({ Bucket: 'files', Key: 'a/b.txt', Body: 'kept' }));
  const { QueueUrl } = await first.sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  await first.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'do it' }));
  await first.stop();

  const second = await started(dataDir);
  onTestFinished(second.stop);
  expect(second.endpoint).not.toBe(first.endpoint);
  const { Body } = await second.s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'a/b.txt' }));
  expect(await Body?.transformToString()).toBe('kept');
  const found = await second.sqs.send(new GetQueueUrlCommand({ QueueName: 'jobs' }));
  expect(found.QueueUrl).toBe(`${second.endpoint}/000000000000/jobs`);
  expect((await second.sqs.send(new ListQueuesCommand())).QueueUrls).toEqual([found.QueueUrl]);
  const { Messages = [] } = await second.sqs.send(new ReceiveMessageCommand({ QueueUrl: found.QueueUrl }));
  expect(Messages.map(({ Body: text }) => text)).toEqual(['do it']);
});

test('one PUT carries 60 MB', async () => {
  const { s3, stop } = await started();
  onTestFinished(stop);
  const bytes = Buffer.alloc(60 * 1024 * 1024, 7);
  await s3.send(new CreateBucketCommand({ Bucket: 'files' }));
  await s3.send(new PutObjectCommand({ Bucket: 'files', Key: 'big', Body: bytes }));
  const { ContentLength, Body } = await s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'big' }));
  Body?.transformToWebStream().cancel();
  expect(ContentLength).toBe(bytes.length);
});

test('a message that is made visible early comes again at once, and keeps its receive count over a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-s3-sqs-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await started(dataDir);
  const { QueueUrl } = await first.sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  await first.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'do it' }));
  const receive = async ({ sqs }: typeof first) => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'jobs' }));
    const request = { QueueUrl, MessageSystemAttributeNames: ['ApproximateReceiveCount' as const] };
    const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand(request));
    await sqs.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl,
        ReceiptHandle: message?.ReceiptHandle,
        VisibilityTimeout: 0,
      }),
    );
    return message?.Attributes?.ApproximateReceiveCount;
  };
  expect([await receive(first), await receive(first)]).toEqual(['1', '2']);
  await first.stop();

  const second = await started(dataDir);
  onTestFinished(second.stop);
  expect(await receive(second)).toBe('3');
});
