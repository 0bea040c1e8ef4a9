import { DeleteQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { openQueues, redriveTo } from './open-queues.ts';

const LONG = { WaitTimeSeconds: 20 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a long poll is answered by a send', async () => {
  const { create, send, receive } = openQueues();
  const url = await create('jobs');
  const polled = receive(url, LONG);
  await turn();
  await send(url, 'work');
  expect(await polled).toMatchObject([{ Body: 'work' }]);
});

test('a queue can have every receive wait', async () => {
  const { create, send, receive } = openQueues();
  const url = await create('jobs', { ReceiveMessageWaitTimeSeconds: '20' });
  const polled = receive(url);
  await turn();
  await send(url, 'work');
  expect(await polled).toMatchObject([{ Body: 'work' }]);
});

test('a long poll is answered when a delay or a visibility timeout ends', async () => {
  const { create, send, receive, pass } = openQueues();
  const url = await create('jobs', { VisibilityTimeout: '10' });
  await send(url, 'work', { DelaySeconds: 10 });
  const delayed = receive(url, LONG);
  await turn();
  pass(10);
  expect(await delayed).toMatchObject([{ Body: 'work' }]);
  const hidden = receive(url, LONG);
  await turn();
  pass(10);
  expect(await hidden).toMatchObject([{ Attributes: { ApproximateReceiveCount: '2' } }]);
});

test('a long poll of dead letters is answered when a receive moves one there', async () => {
  const { create, send, receive, pass } = openQueues();
  const dead = await create('dead');
  const url = await create('jobs', redriveTo('dead', 1));
  await send(url, 'poison');
  await receive(url);
  pass(30);
  const polled = receive(dead, LONG);
  await turn();
  await receive(url);
  expect(await polled).toMatchObject([{ Body: 'poison' }]);
});

test('a long poll without a message ends empty when its time is over', async () => {
  const { create, receive, pass } = openQueues();
  const polled = receive(await create('jobs'), LONG);
  await turn();
  pass(20);
  expect(await polled).toEqual([]);
});

//   polls 1 to 4   |.......... 10, 10, 5 messages; the fourth waits on
//   25 sends        |--one turn--|
test('waiting polls share what comes, each message to one', async () => {
  const { create, send, receive } = openQueues();
  const url = await create('jobs');
  const polls = Array.from({ length: 4 }, () => receive(url, LONG));
  await turn();
  await Promise.all(Array.from({ length: 25 }, (_, n) => send(url, String(n))));
  const received = await Promise.all(polls.slice(0, 3));
  expect(received.map((messages) => messages.length)).toEqual([10, 10, 5]);
  await send(url, 'the last');
  expect(await polls[3]).toMatchObject([{ Body: 'the last' }]);
});

test('an aborted poll rejects as the SDK does, and takes nothing', async () => {
  const { sqs, create, send, counts } = openQueues();
  const QueueUrl = await create('jobs');
  const poll = (abortSignal: AbortSignal) =>
    sqs.send(new ReceiveMessageCommand({ QueueUrl, ...LONG }), { abortSignal });
  const waiting = new AbortController();
  const polled = poll(waiting.signal);
  await turn();
  waiting.abort();
  await expect(polled).rejects.toMatchObject({ name: 'AbortError' });
  await send(QueueUrl, 'work');
  await expect(poll(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  // Aborted when it has seen the message and not yet taken it.
  const taking = new AbortController();
  const taken = poll(taking.signal);
  await new Promise((resolve) => process.nextTick(resolve));
  taking.abort();
  await expect(taken).rejects.toMatchObject({ name: 'AbortError' });
  expect(await counts(QueueUrl)).toEqual({ waiting: 1, inWork: 0, delayed: 0 });
});

test('a poll of a queue that is deleted meanwhile hears of it', async () => {
  const { sqs, create, receive } = openQueues();
  const QueueUrl = await create('jobs');
  const polled = receive(QueueUrl, LONG);
  polled.catch(() => {});
  await turn();
  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  await expect(polled).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
});

test('polls end empty when the stores are closed', async () => {
  const { create, receive, stores } = openQueues();
  const polled = receive(await create('jobs'), LONG);
  await turn();
  stores.queues.close();
  expect(await polled).toEqual([]);
});
