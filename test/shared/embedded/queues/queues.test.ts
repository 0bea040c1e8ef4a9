import {
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  paginateListQueues,
  type QueueAttributeName,
  SetQueueAttributesCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { arnOf, openQueues, redriveTo } from './open-queues.ts';

describe('a queue', () => {
  test('is created once: again with the same attributes, or with fewer, it is found', async () => {
    const { sqs, create } = openQueues();
    await create('dead');
    const attributes = { VisibilityTimeout: '60', ...redriveTo('dead', 5) };
    const url = await create('jobs', attributes);
    expect(await create('jobs', attributes)).toBe(url);
    expect(await create('jobs')).toBe(url);
    // The same policy in other words, and a default that was not said.
    const RedrivePolicy = JSON.stringify({ maxReceiveCount: '5', deadLetterTargetArn: arnOf('dead') });
    expect(await create('jobs', { RedrivePolicy, DelaySeconds: '0' })).toBe(url);
    await expect(create('jobs', { VisibilityTimeout: '61' })).rejects.toMatchObject({
      name: 'QueueNameExists',
    });
    await expect(create('jobs', redriveTo('dead', 6))).rejects.toMatchObject({ name: 'QueueNameExists' });
    expect((await sqs.send(new GetQueueUrlCommand({ QueueName: 'jobs' }))).QueueUrl).toBe(url);
  });

  test.each([
    ['a value out of its range', 'jobs', { VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
    ['a policy that is none', 'jobs', { RedrivePolicy: '{}' }, 'InvalidAttributeValue'],
    ['dead letters that are not there', 'jobs', redriveTo('nowhere', 5), 'InvalidParameterValue'],
    ['an attribute that changes nothing here', 'jobs', { KmsMasterKeyId: 'x' }, 'InvalidAttributeName'],
    ['a wrong name', 'jobs of today', {}, 'InvalidParameterValue'],
    ['an order of its messages', 'jobs.fifo', {}, 'UnsupportedOperation'],
  ])('with %s is refused', async (_, name, attributes, error) => {
    await expect(openQueues().create(name, attributes)).rejects.toMatchObject({ name: error });
  });

  test('tells its attributes and changes them', async () => {
    const { sqs, create, nowMs, pass } = openQueues();
    await create('dead');
    const QueueUrl = await create('jobs', redriveTo('dead', 5));
    const attributes = async (AttributeNames: QueueAttributeName[]) =>
      (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))).Attributes;
    const seconds = String(nowMs() / 1_000);
    expect(await attributes(['All'])).toEqual({
      QueueArn: arnOf('jobs'),
      VisibilityTimeout: '30',
      MessageRetentionPeriod: '345600',
      DelaySeconds: '0',
      ReceiveMessageWaitTimeSeconds: '0',
      MaximumMessageSize: '1048576',
      CreatedTimestamp: seconds,
      LastModifiedTimestamp: seconds,
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      ...redriveTo('dead', 5),
    });
    pass(10);
    const Attributes = { VisibilityTimeout: '90', RedrivePolicy: '' };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    expect(await attributes(['VisibilityTimeout', 'RedrivePolicy', 'LastModifiedTimestamp'])).toEqual({
      VisibilityTimeout: '90',
      LastModifiedTimestamp: String(nowMs() / 1_000),
    });
    expect(await attributes([])).toBeUndefined();
    await expect(attributes(['Colour' as 'All'])).rejects.toMatchObject({ name: 'InvalidAttributeName' });
  });

  test('is listed by the beginning of its name, in pages', async () => {
    const { sqs, create } = openQueues();
    for (const name of ['a_1', 'a-3', 'ab2', 'a-1', 'a-2', 'b-1']) await create(name);
    const pages: string[][] = [];
    const paging = { client: sqs, pageSize: 2 };
    for await (const { QueueUrls = [] } of paginateListQueues(paging, { QueueNamePrefix: 'a-' }))
      pages.push(QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1)));
    expect(pages).toEqual([['a-1', 'a-2'], ['a-3']]);
    expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls).toHaveLength(6);
    expect((await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'c' }))).QueueUrls).toBeUndefined();
  });

  test('that is deleted or was never there does not exist', async () => {
    const { sqs, create, send, receive, counts } = openQueues();
    const QueueUrl = await create('jobs');
    await send(QueueUrl, 'gone with it');
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    const notThere = { name: 'QueueDoesNotExist' };
    await expect(send(QueueUrl, 'a')).rejects.toMatchObject(notThere);
    await expect(receive(QueueUrl)).rejects.toMatchObject(notThere);
    await expect(sqs.send(new GetQueueUrlCommand({ QueueName: 'jobs' }))).rejects.toMatchObject(notThere);
    await expect(receive('http://127.0.0.1/000000000000/jobs')).rejects.toMatchObject({
      name: 'InvalidAddress',
    });
    await create('jobs');
    expect((await counts(QueueUrl)).waiting).toBe(0);
  });
});

test('what the queues do not implement they refuse by name', async () => {
  const { sqs, create, send } = openQueues();
  const QueueUrl = await create('jobs');
  await expect(sqs.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toThrow(
    'does not implement PurgeQueue',
  );
  await expect(send(QueueUrl, 'a', { MessageGroupId: 'x' })).rejects.toThrow(
    'does not implement MessageGroupId',
  );
});

describe('a move of dead letters', () => {
  test('brings those that can be received to their queue, as new messages', async () => {
    const { sqs, create, send, receive, counts, pass, nowMs } = openQueues();
    const dead = await create('dead');
    const url = await create('jobs', redriveTo('dead', 1));
    const kind = { DataType: 'String', StringValue: 'x' };
    const { MessageId } = await send(url, 'poison', { MessageAttributes: { kind } });
    await receive(url);
    pass(30);
    await receive(url);
    await send(dead, 'looked at by somebody');
    await receive(dead, { MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
    await send(dead, 'delayed', { DelaySeconds: 60 });
    pass(5);
    const [SourceArn, DestinationArn] = [arnOf('dead'), arnOf('jobs')];
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    expect(await counts(dead)).toEqual({ waiting: 0, inWork: 0, delayed: 1 });
    const moved = await receive(url);
    expect(moved.map(({ Body }) => Body)).toEqual(['poison', 'looked at by somebody']);
    expect(moved[0]).toMatchObject({
      MessageAttributes: { kind },
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(nowMs()) },
    });
    expect(moved[0]?.MessageId).not.toBe(MessageId);
    const { Results } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn }));
    expect(Results).toMatchObject([
      { Status: 'COMPLETED', SourceArn, DestinationArn, ApproximateNumberOfMessagesMoved: 2 },
    ]);
  });

  test('needs a queue of dead letters, and one to move them to', async () => {
    const { sqs, create } = openQueues();
    await create('a');
    await create('b');
    const start = (SourceArn: string, DestinationArn: string) =>
      sqs.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    await expect(start(arnOf('a'), arnOf('b'))).rejects.toThrow('must be configured as a Dead Letter Queue');
    await expect(start(arnOf('a'), arnOf('c'))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
