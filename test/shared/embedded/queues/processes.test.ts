import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../shared/embedded/database.ts';
import { createQueueStore, type QueueStore } from '../../../../shared/embedded/queues/store.ts';
import { openStores } from '../../../../shared/embedded/stores.ts';
import { createTableStore } from '../../../../shared/embedded/tables/store.ts';
import { arnOf } from './open-queues.ts';

type Message = { readonly Body: string; readonly ReceiptHandle: string };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-queues-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openIn(folder: string): QueueStore {
  const { queues, close } = openStores({ folder });
  onTestFinished(close);
  return queues;
}

const create = async (queues: QueueStore): Promise<string> =>
  ((await queues.run('CreateQueue', { QueueName: 'jobs' })) as { QueueUrl: string }).QueueUrl;

async function receive(queues: QueueStore, QueueUrl: string, more: object = {}): Promise<readonly Message[]> {
  const request = { QueueUrl, MaxNumberOfMessages: 10, ...more };
  return ((await queues.run('ReceiveMessage', request)) as { Messages?: Message[] }).Messages ?? [];
}

/** Another process with the queues of the folder. It tells lines, which are on the pipe when `tell` returns. */
function startProcess(folder: string, work: string) {
  const script = `
    const { writeSync } = await import('node:fs');
    const { openStores } = await import(${JSON.stringify(join(process.cwd(), 'shared/embedded/stores.ts'))});
    const { queues } = openStores({ folder: ${JSON.stringify(folder)} });
    const QueueUrl = 'sinete://queues/jobs';
    const run = (command, request) => queues.run(command, { QueueUrl, ...request });
    const tell = (line) => writeSync(1, line + '\\n');
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return { lines: createInterface({ input: child.stdout }), kill };
}

//   this process   receives |...........................| answered by the other's send
//   other process             opens the folder, sends --|
test('a long poll in one process is answered by a send of another', async () => {
  const folder = newFolder();
  const queues = openIn(folder);
  const QueueUrl = await create(queues);
  const polled = receive(queues, QueueUrl, { WaitTimeSeconds: 20 });
  startProcess(folder, "await run('SendMessage', { MessageBody: 'from the other' });");
  expect(await polled).toMatchObject([{ Body: 'from the other' }]);
});

//   this process   |--sends 100--......--receives, sends 100 more, receives--|
//   other process  |--receives-----------------------------------------------|
test('of two processes that receive, each message goes to one', async () => {
  const folder = newFolder();
  const queues = openIn(folder);
  const QueueUrl = await create(queues);
  const bodies = Array.from({ length: 200 }, (_, n) => String(n));
  const sendAll = (some: readonly string[]) =>
    Promise.all(some.map((MessageBody) => queues.run('SendMessage', { QueueUrl, MessageBody })));
  await sendAll(bodies.slice(0, 100));
  const other = startProcess(
    folder,
    `for (;;) {
       const { Messages = [] } = await run('ReceiveMessage', { MaxNumberOfMessages: 2, WaitTimeSeconds: 20 });
       for (const { Body } of Messages) tell(Body);
     }`,
  );
  const received: string[] = [];
  other.lines.on('line', (body) => received.push(body));
  await expect.poll(() => received.length).toBeGreaterThan(0);
  const sending = sendAll(bodies.slice(100));
  while (received.length < bodies.length) {
    const messages = await receive(queues, QueueUrl, { MaxNumberOfMessages: 2, WaitTimeSeconds: 1 });
    received.push(...messages.map(({ Body }) => Body));
  }
  await sending;
  expect(received.toSorted()).toEqual(bodies.toSorted());
});

function openTogether() {
  let nowMs = Date.now();
  const now = () => nowMs;
  const database = openDatabase();
  const queues = createQueueStore(database, { now });
  const tables = createTableStore(database, { now, strict: undefined });
  onTestFinished(() => {
    queues.close();
    database.close();
  });
  const commits = (): number => Number(database.get('SELECT commits FROM state')?.commits);
  const pass = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };
  return { database, queues, tables, commits, pass };
}

test('an outbox record and its message are one commit', async () => {
  const { queues, tables, commits } = openTogether();
  const QueueUrl = await create(queues);
  await tables.run('CreateTable', {
    TableName: 'outbox',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  const before = commits();
  await Promise.all([
    tables.run('PutItem', { TableName: 'outbox', Item: { pk: { S: 'a' } } }),
    queues.run('SendMessage', { QueueUrl, MessageBody: 'a' }),
  ]);
  expect(commits() - before).toBe(1);
});

test('a receive of an empty queue commits nothing', async () => {
  const { queues, commits, pass } = openTogether();
  const QueueUrl = await create(queues);
  const before = commits();
  expect(await receive(queues, QueueUrl)).toEqual([]);
  const polled = receive(queues, QueueUrl, { WaitTimeSeconds: 20 });
  pass(20);
  expect(await polled).toEqual([]);
  expect(commits()).toBe(before);
});

test('a message that another store sends in its own commit answers a poll after it', async () => {
  const { database, queues, commits } = openTogether();
  const QueueUrl = await create(queues);
  const polled = receive(queues, QueueUrl, { WaitTimeSeconds: 20 });
  const before = commits();
  await database.commit(() => queues.enqueue(arnOf('jobs'), 'an object was created'));
  expect(await polled).toMatchObject([{ Body: 'an object was created' }]);
  // The poll takes the message in the commit that sends it.
  expect(commits() - before).toBe(1);
  await expect(database.commit(() => queues.enqueue(arnOf('nowhere'), 'x'))).rejects.toMatchObject({
    name: 'QueueDoesNotExist',
  });
});
