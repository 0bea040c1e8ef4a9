import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { arnOf, openQueues, redriveTo } from './open-queues.ts';

const bodies = (messages: readonly { Body?: string | undefined }[]) => messages.map(({ Body }) => Body);
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

describe('a message', () => {
  test('is received as it was sent, with its attributes and digests', async () => {
    const { create, send, receive, nowMs, pass } = openQueues();
    const url = await create('jobs');
    const sentMs = nowMs();
    const MessageAttributes = {
      dedupe: { DataType: 'String', StringValue: 'ação' },
      attempts: { DataType: 'Number', StringValue: '3' },
    };
    const sent = await send(url, '{"a":"ç🙂"}', { MessageAttributes });
    pass(5);
    const [message] = await receive(url);
    expect(message).toEqual({
      MessageId: sent.MessageId,
      ReceiptHandle: expect.any(String),
      Body: '{"a":"ç🙂"}',
      // The client has compared the body with its digest. Nobody compares the attributes. Made by another program: md5 of
      // (length, name, length, type, 1, length, value) in the order of the names.
      MD5OfBody: sent.MD5OfMessageBody,
      MD5OfMessageAttributes: '4aa39bc4492e43892541da98dd982cac',
      MessageAttributes,
      Attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: String(sentMs),
        ApproximateFirstReceiveTimestamp: String(sentMs + 5_000),
        SenderId: '000000000000',
      },
    });
    expect(sent.MD5OfMessageAttributes).toBe(message?.MD5OfMessageAttributes);
  });

  test('shows only the attributes that a receive asks for', async () => {
    const { create, send, receive } = openQueues();
    const url = await create('jobs');
    const text = { DataType: 'String', StringValue: 'x' };
    await send(url, 'a', { MessageAttributes: { 'a.b': text, 'a.c': text, d: text } });
    const asked = async (names: string[]) => {
      const [message] = await receive(url, {
        VisibilityTimeout: 0,
        MessageAttributeNames: names,
        MessageSystemAttributeNames: ['SentTimestamp'],
      });
      expect(Object.keys(message?.Attributes ?? {})).toEqual(['SentTimestamp']);
      return Object.keys(message?.MessageAttributes ?? {});
    };
    expect(await asked([])).toEqual([]);
    expect(await asked(['d', 'unknown'])).toEqual(['d']);
    expect(await asked(['a.*'])).toEqual(['a.b', 'a.c']);
    expect(await asked(['.*'])).toEqual(['a.b', 'a.c', 'd']);
  });

  test('is invisible for the visibility timeout, and comes again until it is deleted', async () => {
    const { create, send, receive, remove, counts, pass } = openQueues();
    const url = await create('jobs', { VisibilityTimeout: '60' });
    await send(url, 'work');
    const [first] = await receive(url);
    pass(59);
    expect(await receive(url)).toEqual([]);
    expect(await counts(url)).toEqual({ waiting: 0, inWork: 1, delayed: 0 });
    pass(1);
    expect(await counts(url)).toEqual({ waiting: 1, inWork: 0, delayed: 0 });
    const [second] = await receive(url);
    expect(second?.MessageId).toBe(first?.MessageId);
    expect(second?.Attributes?.ApproximateReceiveCount).toBe('2');
    expect(second?.Attributes?.ApproximateFirstReceiveTimestamp).toBe(
      first?.Attributes?.ApproximateFirstReceiveTimestamp,
    );
    await remove(url, second?.ReceiptHandle);
    pass(60);
    expect(await receive(url)).toEqual([]);
  });

  //   receive 1 |--visibility--|                    delete(1): succeeds, deletes nothing
  //   receive 2                 |--visibility--|..... delete(2): deletes, though its time is over
  test('is deleted by its newest receipt only, even after its visibility timeout', async () => {
    const { create, send, receive, remove, counts, pass } = openQueues();
    const url = await create('jobs');
    await send(url, 'work');
    const [first] = await receive(url);
    pass(30);
    const [second] = await receive(url);
    await remove(url, first?.ReceiptHandle);
    expect(await counts(url)).toEqual({ waiting: 0, inWork: 1, delayed: 0 });
    pass(30);
    await remove(url, second?.ReceiptHandle);
    expect(await counts(url)).toEqual({ waiting: 0, inWork: 0, delayed: 0 });
    // Deleting it again is no error.
    await remove(url, second?.ReceiptHandle);
    await expect(remove(url, 'no handle')).rejects.toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  });

  test('waits for its own delay, or for that of its queue', async () => {
    const { create, send, receive, counts, pass } = openQueues();
    const url = await create('jobs', { DelaySeconds: '10' });
    await send(url, 'by the queue');
    await send(url, 'by itself', { DelaySeconds: 900 });
    await send(url, 'at once', { DelaySeconds: 0 });
    expect(await counts(url)).toEqual({ waiting: 1, inWork: 0, delayed: 2 });
    expect(bodies(await receive(url))).toEqual(['at once']);
    pass(10);
    expect(bodies(await receive(url))).toEqual(['by the queue']);
    pass(890);
    expect(bodies(await receive(url, { VisibilityTimeout: HOUR }))).toContain('by itself');
    await expect(send(url, 'too late', { DelaySeconds: 901 })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  test('is kept for four days unless its queue says otherwise, and then collected', async () => {
    const { create, send, receive, stores, pass } = openQueues();
    const [usual, short] = [await create('usual'), await create('short', { MessageRetentionPeriod: '60' })];
    await send(usual, 'a');
    await send(short, 'b');
    pass(59);
    expect(await receive(short, { VisibilityTimeout: 0 })).toHaveLength(1);
    pass(1);
    expect(await receive(short)).toEqual([]);
    expect(await stores.queues.collectExpired()).toBe(1);
    pass(4 * DAY - 61);
    expect(await receive(usual, { VisibilityTimeout: 0 })).toHaveLength(1);
    pass(1);
    expect(await receive(usual)).toEqual([]);
    expect(await stores.queues.collectExpired()).toBe(1);
    expect(await stores.queues.collectExpired()).toBe(0);
  });

  test.each([
    ['an empty body', '', {}, 'MissingParameter'],
    ['a character that XML does not have', 'a\u0000', {}, 'InvalidMessageContents'],
    ['half a pair of surrogates', 'a\uD800', {}, 'InvalidMessageContents'],
    ['a body over 1 MiB', 'x'.repeat(1_048_577), {}, 'InvalidParameterValue'],
    [
      'an attribute without a value',
      'a',
      { n: { DataType: 'String', StringValue: '' } },
      'InvalidParameterValue',
    ],
    ['a number that is none', 'a', { n: { DataType: 'Number', StringValue: 'x' } }, 'InvalidParameterValue'],
    ['a name of AWS', 'a', { 'AWS.n': { DataType: 'String', StringValue: 'x' } }, 'InvalidParameterValue'],
    [
      'a binary attribute',
      'a',
      { n: { DataType: 'Binary', BinaryValue: Buffer.of(1) } },
      'UnsupportedOperation',
    ],
  ])('with %s is refused', async (_, body, MessageAttributes, name) => {
    const { create, send, counts } = openQueues();
    const url = await create('jobs');
    await expect(send(url, body, { MessageAttributes })).rejects.toMatchObject({ name });
    expect((await counts(url)).waiting).toBe(0);
  });

  test('of 1 MiB with its attributes is taken', async () => {
    const { create, send, receive } = openQueues();
    const url = await create('jobs');
    const MessageAttributes = { n: { DataType: 'String', StringValue: 'x' } };
    await send(url, 'x'.repeat(1_048_576 - 'nStringx'.length), { MessageAttributes });
    await expect(send(url, 'x'.repeat(1_048_576), { MessageAttributes })).rejects.toThrow(
      'shorter than 1048576',
    );
    expect(await receive(url)).toHaveLength(1);
  });
});

describe('the visibility of a message in flight', () => {
  test('is changed by its receipt: longer, or over at once', async () => {
    const { sqs, create, send, receive, pass } = openQueues();
    const url = await create('jobs');
    await send(url, 'work');
    const [{ ReceiptHandle } = {}] = await receive(url);
    const change = (VisibilityTimeout: number) =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
    await change(600);
    pass(599);
    expect(await receive(url)).toEqual([]);
    await change(0);
    await expect(change(10)).rejects.toMatchObject({ name: 'MessageNotInflight' });
    expect(await receive(url)).toMatchObject([{ Attributes: { ApproximateReceiveCount: '2' } }]);
    // Its receipt is no longer the newest.
    await expect(change(10)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  test('ends twelve hours after the receive at the latest', async () => {
    const { sqs, create, send, receive, pass } = openQueues();
    const url = await create('jobs', { VisibilityTimeout: String(12 * HOUR) });
    await send(url, 'work');
    const [{ ReceiptHandle } = {}] = await receive(url);
    pass(HOUR);
    const change = (VisibilityTimeout: number) =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
    await expect(change(11 * HOUR + 1)).rejects.toThrow('beyond the limit');
    await change(11 * HOUR);
    await expect(change(12 * HOUR + 1)).rejects.toThrow('VisibilityTimeout');
  });

  test('ends for all when their engine is gone, and the counts of receives stay', async () => {
    const { create, send, receive, stores } = openQueues();
    const url = await create('jobs', { VisibilityTimeout: '720' });
    await send(url, 'in work');
    await send(url, 'delayed', { DelaySeconds: 60 });
    await receive(url);
    await stores.queues.releaseAll();
    expect(await receive(url)).toMatchObject([
      { Body: 'in work', Attributes: { ApproximateReceiveCount: '2' } },
    ]);
  });
});

describe('a batch', () => {
  test('sends, hides and deletes up to ten messages, each by itself', async () => {
    const { sqs, create, receive, counts } = openQueues();
    const QueueUrl = await create('jobs');
    const sent = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'a', MessageBody: 'one' },
          { Id: 'b', MessageBody: 'bad \u0001' },
          { Id: 'c', MessageBody: 'three', DelaySeconds: 901 },
          { Id: 'd', MessageBody: 'four' },
        ],
      }),
    );
    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a', 'd']);
    expect(sent.Failed).toMatchObject([
      { Id: 'b', SenderFault: true, Code: 'InvalidMessageContents' },
      { Id: 'c', SenderFault: true, Code: 'InvalidParameterValue' },
    ]);
    const received = await receive(QueueUrl);
    expect(bodies(received)).toEqual(['one', 'four']);
    const [one, four] = received.map(({ ReceiptHandle }) => ReceiptHandle);
    const hidden = await sqs.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [{ Id: 'a', ReceiptHandle: one, VisibilityTimeout: 0 }],
      }),
    );
    expect(hidden.Successful).toEqual([{ Id: 'a' }]);
    const deleted = await sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: 'a', ReceiptHandle: 'none' },
          { Id: 'b', ReceiptHandle: four },
        ],
      }),
    );
    expect(deleted).toMatchObject({
      Successful: [{ Id: 'b' }],
      Failed: [{ Id: 'a', Code: 'ReceiptHandleIsInvalid', SenderFault: true }],
    });
    expect(await counts(QueueUrl)).toEqual({ waiting: 1, inWork: 0, delayed: 0 });
  });

  const entry = (Id: string, MessageBody = 'x') => ({ Id, MessageBody });
  test.each([
    ['without entries', [], 'EmptyBatchRequest'],
    ['of eleven', Array.from({ length: 11 }, (_, n) => entry(String(n))), 'TooManyEntriesInBatchRequest'],
    ['with an id twice', [entry('a'), entry('a')], 'BatchEntryIdsNotDistinct'],
    ['with a wrong id', [entry('a b')], 'InvalidBatchEntryId'],
    [
      'over 1 MiB',
      [entry('a', 'x'.repeat(1_000_000)), entry('b', 'x'.repeat(48_577))],
      'BatchRequestTooLong',
    ],
  ])('%s is refused as a whole', async (_, Entries, name) => {
    const { sqs, create, counts } = openQueues();
    const QueueUrl = await create('jobs');
    await expect(sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).rejects.toMatchObject({
      name,
    });
    expect((await counts(QueueUrl)).waiting).toBe(0);
  });
});

describe('a receive', () => {
  test('gives at most the messages that it asks for, the oldest first', async () => {
    const { create, send, receive } = openQueues();
    const url = await create('jobs');
    for (let n = 0; n < 25; n += 1) await send(url, String(n));
    expect(bodies(await receive(url))).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
    expect(bodies(await receive(url, { MaxNumberOfMessages: undefined }))).toEqual(['10']);
    await expect(receive(url, { MaxNumberOfMessages: 11 })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  test('after the last allowed one moves a message to the dead letters, where it keeps its id and its age', async () => {
    const { create, send, receive, counts, pass, nowMs } = openQueues();
    const dead = await create('dead', { MessageRetentionPeriod: '120' });
    const url = await create('jobs', redriveTo('dead', 2));
    const sentMs = nowMs();
    const { MessageId } = await send(url, 'poison', {
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'x' } },
    });
    for (let n = 0; n < 2; n += 1) {
      expect(bodies(await receive(url))).toEqual(['poison']);
      pass(30);
    }
    await send(url, 'good');
    // As many as asked for, in spite of the one that goes.
    expect(bodies(await receive(url, { MaxNumberOfMessages: 1 }))).toEqual(['good']);
    expect((await counts(dead)).waiting).toBe(1);
    expect(await receive(dead, { VisibilityTimeout: 0 })).toMatchObject([
      {
        MessageId,
        Body: 'poison',
        MessageAttributes: { kind: { StringValue: 'x' } },
        Attributes: { SentTimestamp: String(sentMs), DeadLetterQueueSourceArn: arnOf('jobs') },
      },
    ]);
    pass(60);
    expect(await receive(dead)).toEqual([]);
  });
});
