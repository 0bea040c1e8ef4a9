import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { instances } from '../../../functions/batch/installation/cluster/domain/instance.ts';
import { createDeclared } from '../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { exportStage } from '../../../infra/transfer/export.ts';
import { importStage } from '../../../infra/transfer/import.ts';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import { s3 } from '../../../shared/files/client.ts';
import { files } from '../../../shared/files/files.ts';
import { queueUrl, sqs } from '../../../shared/queue/client.ts';
import { bucketName, queueName, tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { everyItem } from '../../stores/whole-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-transfer-'));
let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await ownStores();
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const options = (path: string, more: { force?: boolean; now?: () => number } = {}) => ({
  root: process.cwd(),
  path,
  force: false,
  say: () => undefined,
  ...more,
});
let stages = 0;
/** Works on a new stage, whose tables, buckets and queues are empty. */
async function enterNewStage(): Promise<string> {
  const name = `moved${++stages}`;
  vi.stubEnv('STAGE', name);
  await createDeclared(readDeclared(process.cwd(), name));
  return name;
}

const put = (pk: string, more = {}) =>
  dynamo().send(
    new PutItemCommand({
      TableName: tableName('session'),
      Item: { pk: { S: pk }, sk: { S: 'one' }, ...more },
    }),
  );
const send = async (queue: string, MessageBody: string) =>
  sqs().send(
    new SendMessageCommand({
      QueueUrl: await queueUrl(queueName('documents', queue)),
      MessageBody,
      MessageAttributes: { text: { DataType: 'String', StringValue: 'é' } },
    }),
  );
async function receive(queue: string) {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: await queueUrl(queueName('documents', queue)),
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}

const LARGE = Buffer.alloc(11 * 1_024 * 1_024, 'large ');

/** A stage with an item of bytes and sets, small and large objects, and messages. */
async function fillStage(): Promise<void> {
  await put('bytes', {
    data: { B: Buffer.from([0, 10, 255]) },
    set: { BS: [Buffer.from('a')] },
    n: { N: '1.50' },
  });
  for (let n = 0; n < 60; n++) await put(`item ${n}`, { text: { S: 'line\nend {"end":1}'.repeat(50) } });
  const Bucket = bucketName('documents');
  for (let n = 0; n < 20; n++)
    await s3().send(
      new PutObjectCommand({
        Bucket,
        Key: `small/ção ${n}`,
        Body: `content\n${n}`,
        ContentType: 'text/plain',
      }),
    );
  await s3().send(new PutObjectCommand({ Bucket, Key: 'one piece', Body: LARGE, ContentType: 'a/b' }));
  await files('documents').put('in parts', Readable.from([LARGE]), { contentType: 'a/b' });
  await s3().send(new PutObjectCommand({ Bucket, Key: 'empty', Body: '', ContentLength: 0 }));
  await send('tasks', 'first');
  await send('tasks', 'second');
  await send('tasks-dead', 'dead');
}

describe('a stage that is exported and imported under another name', () => {
  test('has the same items, objects with their entity tags, and messages', async () => {
    await enterNewStage();
    await fillStage();
    const path = join(folder, 'all.sinete');
    const counts = await exportStage(options(path), '1.0.0');
    expect(counts).toMatchObject({ items: 61, objects: 23, messages: 3 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const items = await everyItem('session');
    const tagOf = async (Key: string) =>
      (await s3().send(new HeadObjectCommand({ Bucket: bucketName('documents'), Key }))).ETag;
    const tags = await Promise.all(['one piece', 'in parts', 'empty'].map(tagOf));

    await enterNewStage();
    const imported = await importStage(options(path));
    expect(imported).toMatchObject({ ...counts, otherTags: [] });
    const byKey = (all: typeof items) =>
      all.toSorted((a, b) => String(a.pk?.S).localeCompare(String(b.pk?.S)));
    expect(byKey(await everyItem('session'))).toEqual(byKey(items));
    expect(await Promise.all(['one piece', 'in parts', 'empty'].map(tagOf))).toEqual(tags);
    const { Body, ContentType } = await s3().send(
      new GetObjectCommand({ Bucket: bucketName('documents'), Key: 'small/ção 7' }),
    );
    expect([await Body?.transformToString(), ContentType]).toEqual(['content\n7', 'text/plain']);
    const [first, second] = (await receive('tasks')).toSorted((a, b) =>
      String(a.Body).localeCompare(String(b.Body)),
    );
    expect([first?.Body, second?.Body]).toEqual(['first', 'second']);
    expect(first?.MessageAttributes).toMatchObject({ text: { StringValue: 'é' } });
    expect((await receive('tasks-dead')).map(({ Body: body }) => body)).toEqual(['dead']);
  });

  test('has messages that were delayed, too', async () => {
    await enterNewStage();
    const QueueUrl = await queueUrl(queueName('documents', 'tasks'));
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 1 }));
    expect(await exportStage(options(join(folder, 'later.sinete')), '1.0.0')).toMatchObject({ messages: 1 });
  });

  test('keeps its own messages: they are visible again', async () => {
    await enterNewStage();
    await send('tasks', 'mine');
    await exportStage(options(join(folder, 'kept.sinete')), '1.0.0');
    expect((await receive('tasks')).map(({ Body }) => Body)).toEqual(['mine']);
  });
});

describe('an export is refused', () => {
  test('while an instance of the stage sends heartbeats, unless it is forced', async () => {
    await enterNewStage();
    const nowMs = Date.UTC(2026, 10, 17, 12);
    const row = {
      release: '1',
      boot: '',
      startedAtMs: nowMs,
      heartbeatAtMs: nowMs,
      isStopped: false,
      folders: [],
    };
    await instances.create({ name: 'north', ...row });
    const path = join(folder, 'running.sinete');
    await expect(exportStage(options(path, { now: () => nowMs + 1_000 }), '1.0.0')).rejects.toThrow(
      /is running: its instance north sent a heartbeat at 2026-11-17T12:00:00.000Z\. Stop it first/,
    );
    expect(existsSync(path)).toBe(false);
    const hourLater = { now: () => nowMs + 3_600_000 };
    expect(await exportStage(options(path, hourLater), '1.0.0')).toMatchObject({ items: 1 });
    const forced = { now: () => nowMs + 1_000, force: true };
    expect(await exportStage(options(path, forced), '1.0.0')).toMatchObject({ items: 1 });
  });

  test('while a message is in work', async () => {
    await enterNewStage();
    await send('tasks', 'taken');
    await receive('tasks');
    await expect(exportStage(options(join(folder, 'work.sinete')), '1.0.0')).rejects.toThrow(
      /The queue \w+ of the stage moved\d+ has 1 messages in work and 0 that are delayed/,
    );
  });
});

describe('an import', () => {
  const path = join(folder, 'small.sinete');
  beforeAll(async () => {
    await enterNewStage();
    await put('a');
    await s3().send(new PutObjectCommand({ Bucket: bucketName('documents'), Key: 'k', Body: 'bytes' }));
    await exportStage(options(path), '1.0.0');
  });

  const refused = async (file: string): Promise<string> => {
    const error = await importStage(options(file)).then(
      () => expect.fail('It was imported.'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(CommandRefusal);
    return (error as Error).message;
  };

  test('is refused where the stage holds data, and with force replaces what has the same key', async () => {
    await enterNewStage();
    await put('other');
    await put('a', { text: { S: 'old' } });
    expect(await refused(path)).toMatch(/holds data: SessionTable has the item .*add --force/);
    for (let times = 0; times < 2; times++) await importStage(options(path, { force: true }));
    const items = await everyItem('session');
    expect(items.map(({ pk, text }) => [pk?.S, text]).toSorted()).toEqual([
      ['a', undefined],
      ['other', undefined],
    ]);
  });

  test.each([
    ['was cut', (file: string) => truncateSync(file, readFileSync(file).length - 100)],
    [
      'was cut within an object',
      (file: string) => truncateSync(file, readFileSync(file).indexOf('bytes') + 2),
    ],
    [
      'was changed',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.write('BYTES', bytes.lastIndexOf('bytes\n'));
        writeFileSync(file, bytes);
      },
    ],
    ['is none', (file: string) => writeFileSync(file, 'hello')],
    ['is empty', (file: string) => writeFileSync(file, '')],
  ])('of a file that %s is refused before anything is written', async (_, damage) => {
    await enterNewStage();
    const file = join(folder, 'damaged.sinete');
    writeFileSync(file, readFileSync(path));
    damage(file);
    expect(await refused(file)).toContain(`${file} is no complete export: `);
    expect(await everyItem('session')).toEqual([]);
  });

  test('names the services that the stage does not have', async () => {
    vi.stubEnv('STAGE', 'partial');
    const { tables, buckets, queues } = readDeclared(process.cwd(), 'partial');
    await createDeclared({
      tables: tables.filter(({ logicalId }) => logicalId !== 'SessionTable'),
      buckets,
      queues,
    });
    expect(await refused(path)).toBe(
      'The stage partial does not have SessionTable, and the file does. Deploy those services first.',
    );
  });
});
