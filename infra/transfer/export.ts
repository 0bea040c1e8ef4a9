import { Readable } from 'node:stream';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ChangeMessageVisibilityCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { forEachConcurrently } from '../../shared/async/for-each-concurrently.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { s3 } from '../../shared/files/client.ts';
import { sqs } from '../../shared/queue/client.ts';
import { stage } from '../../shared/settings/names.ts';
import { dynamo } from '../../shared/store/client.ts';
import type { Attributes } from '../../shared/store/item.ts';
import {
  type Counts,
  createExport,
  type ExportWriter,
  type StoredMessage,
  type StoredObject,
} from './format.ts';
import { messageCounts, type Resource, requireStopped, resourcesOf } from './stage.ts';

export type TransferOptions = {
  readonly root: string;
  readonly path: string;
  readonly force: boolean;
  /** Is told of the progress, in one line each. */
  readonly say: (line: string) => void;
  readonly now?: () => number;
};

/**
 * Writes every item, object and undelivered message of this process's stage to one file. Reading a queue counts as a
 * delivery of its messages; they are visible again at the end.
 * @example await exportStage({ root: process.cwd(), path: 'prod.sinete', force: false, say: console.error }, '0.1.0');
 */
export async function exportStage(
  { root, path, force, say, now = Date.now }: TransferOptions,
  version: string,
): Promise<Counts> {
  const resources = await resourcesOf(root);
  if (!force) await requireStopped(resources, now(), say);
  const header = { stage: stage(), version, exportedAt: new Date(now()).toISOString() };
  const writer = await createExport(path, header);
  try {
    for (const resource of resources) {
      await writer.section(resource);
      const count = await WRITE[resource.kind](writer, resource);
      if (count > 0) say(`${resource.id}: ${count}`);
    }
    return await writer.end();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

const WRITE = { table: writeItems, bucket: writeObjects, queue: writeMessages };

async function writeItems(writer: ExportWriter, { name }: Resource): Promise<number> {
  let count = 0;
  let start: Attributes | undefined;
  do {
    const page = await dynamo().send(
      new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    for (const item of page.Items ?? []) await writer.item(item);
    count += page.Items?.length ?? 0;
    start = page.LastEvaluatedKey;
  } while (start);
  return count;
}

// Small objects are read ahead, side by side: each takes a round trip. A larger one is streamed when its turn comes.
const READ_AHEAD = 16;
const SMALL_BYTES = 1_024 * 1_024;

type OpenObject = { readonly object: StoredObject; readonly content: AsyncIterable<Uint8Array> };

async function writeObjects(writer: ExportWriter, { name }: Resource): Promise<number> {
  let count = 0;
  const waiting: (() => Promise<OpenObject>)[] = [];
  const writeFirst = async (): Promise<void> => {
    const opened = await waiting.shift()?.();
    if (opened) await writer.object(opened.object, opened.content);
    count += 1;
  };
  for await (const { Key = '', Size = 0 } of listObjects(name)) {
    if (Size > SMALL_BYTES) waiting.push(() => openObject(name, Key));
    else {
      const reading = readSmall(name, Key);
      reading.catch(() => undefined); // it is awaited in its turn
      waiting.push(() => reading);
    }
    if (waiting.length >= READ_AHEAD) await writeFirst();
  }
  while (waiting.length > 0) await writeFirst();
  return count;
}

async function* listObjects(Bucket: string) {
  let cursor: string | undefined;
  do {
    const page = await s3().send(new ListObjectsV2Command({ Bucket, ContinuationToken: cursor }));
    yield* page.Contents ?? [];
    cursor = page.NextContinuationToken;
  } while (cursor);
}

async function readSmall(bucket: string, key: string): Promise<OpenObject> {
  const { object, content } = await openObject(bucket, key);
  return { object, content: Readable.from(await Array.fromAsync(content)) };
}

async function openObject(Bucket: string, Key: string): Promise<OpenObject> {
  const {
    Body,
    ContentLength = 0,
    ContentType = 'application/octet-stream',
    ETag = '',
  } = await s3().send(new GetObjectCommand({ Bucket, Key }));
  if (!(Body instanceof Readable)) throw new Error(`S3 returned no content for the object ${Key}.`);
  return { object: { key: Key, bytes: ContentLength, contentType: ContentType, etag: ETag }, content: Body };
}

// Longer than any export takes. The messages are made visible at its end.
const HIDDEN_SECONDS = 12 * 3_600;
// A receive without an answer does not prove that SQS has no message.
const MAX_EMPTY = 3;
const WAIT_SECONDS = 1;
const RETURNED_AT_ONCE = 8;

async function writeMessages(writer: ExportWriter, { name: QueueUrl, id }: Resource): Promise<number> {
  const { waiting } = await messageCounts(QueueUrl);
  if (waiting === 0) return 0;
  const received = new Map<string, Message>();
  try {
    for (let empty = 0; received.size < waiting && empty < MAX_EMPTY; ) {
      const { Messages = [] } = await sqs().send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageAttributeNames: ['All'],
        }),
      );
      empty = Messages.length === 0 ? empty + 1 : 0;
      for (const message of Messages) received.set(message.MessageId ?? '', message);
    }
    if (received.size < waiting)
      throw new CommandRefusal(
        `The queue ${id} says that it has ${waiting} messages, and gave ${received.size}. Is the stage still running? Try again.`,
      );
    for (const message of received.values()) await writer.message(storedOf(message, id));
    return received.size;
  } finally {
    await forEachConcurrently(RETURNED_AT_ONCE, received.values(), async ({ ReceiptHandle }) => {
      await sqs().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    });
  }
}

function storedOf({ Body: body = '', MessageAttributes = {} }: Message, queue: string): StoredMessage {
  const attributes = Object.entries(MessageAttributes).map(([name, { DataType = '', StringValue }]) => {
    if (StringValue === undefined)
      throw new CommandRefusal(
        `A message in ${queue} has bytes in its attribute ${name}: Sinete did not send it.`,
      );
    return [name, { DataType, StringValue }] as const;
  });
  return { body, attributes: Object.fromEntries(attributes) };
}
