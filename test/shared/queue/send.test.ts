import { randomUUID } from 'node:crypto';
import { GetQueueUrlCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { queueUrl } from '../../../shared/queue/client.ts';
import { MessageTooLarge, NotSent } from '../../../shared/queue/errors.ts';
import { send, sendAll } from '../../../shared/queue/send.ts';
import { queueName, queueUrlVariable } from '../../../shared/settings/names.ts';
import { aQueue, SERVICE } from './a-queue.ts';

const bodies = async (queue: Awaited<ReturnType<typeof aQueue>>) =>
  (await queue.messages()).map(({ body }) => JSON.parse(body));

test('a message arrives as the JSON it was sent as, with the name it was given', async () => {
  const queue = await aQueue();
  const body = { text: 'ação \u0000 \uFFFF \uD800 👩‍👧', list: [1, null] };
  await send(SERVICE, queue.name, body, { dedupe: 'pedido-7' });
  const [message] = await queue.messages();
  expect(JSON.parse(message?.body ?? '')).toEqual(body);
  expect(message?.attributes).toEqual({ dedupe: 'pedido-7' });
});

test('a queue whose URL is in the environment is used without asking SQS for it', async () => {
  const queue = await aQueue();
  const name = queueName(SERVICE, queue.name);
  const url = await queueUrl(name);
  const mock = watch();
  const other = await aQueue();
  vi.stubEnv(queueUrlVariable(queueName(SERVICE, other.name)), url);
  await send(SERVICE, other.name, 'to the URL of the environment');
  vi.unstubAllEnvs();
  expect(mock.commandCalls(GetQueueUrlCommand)).toHaveLength(0);
  expect(await bodies(queue)).toEqual(['to the URL of the environment']);
  await send(SERVICE, other.name, 'to its own');
  await send(SERVICE, other.name, 'and again');
  expect(mock.commandCalls(GetQueueUrlCommand)).toHaveLength(1);
  expect(await bodies(other)).toEqual(['to its own', 'and again']);
});

test('twenty-five messages go in groups, and every one arrives', async () => {
  const queue = await aQueue();
  const mock = watch();
  await sendAll(
    SERVICE,
    queue.name,
    Array.from({ length: 25 }, (_, n) => ({ body: { n } })),
  );
  const sizes = mock.commandCalls(SendMessageBatchCommand).map((call) => call.args[0].input.Entries?.length);
  expect(sizes).toEqual([10, 10, 5]);
  const numbers = (await bodies(queue)).map(({ n }) => n).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 25 }, (_, n) => n));
});

test('a group never exceeds 256 KB together', async () => {
  const queue = await aQueue();
  const mock = watch();
  const body = 'x'.repeat(100 * 1024);
  await sendAll(
    SERVICE,
    queue.name,
    Array.from({ length: 5 }, () => ({ body })),
  );
  const sizes = mock.commandCalls(SendMessageBatchCommand).map((call) => call.args[0].input.Entries?.length);
  expect(sizes).toEqual([2, 2, 1]);
  expect(await bodies(queue)).toHaveLength(5);
});

test('sending nothing calls nobody', async () => {
  const mock = watch();
  await sendAll(SERVICE, 'no-such-queue', []);
  expect(mock.calls()).toHaveLength(0);
});

test('a message over 256 KB is refused with both sizes and what to do, and nothing of its group is sent', async () => {
  const queue = await aQueue();
  const attempt = sendAll(SERVICE, queue.name, [{ body: 'small' }, { body: 'ã'.repeat(131_072) }]);
  await expect(attempt).rejects.toBeInstanceOf(MessageTooLarge);
  await expect(attempt).rejects.toThrow(
    /Message 1 for the queue \S+ has 262146 bytes; 262144 are allowed. Keep its content as a file/,
  );
  expect(await queue.messages()).toEqual([]);
});

test('a message of exactly 256 KB goes', async () => {
  const queue = await aQueue();
  await send(SERVICE, queue.name, 'x'.repeat(262_142));
  expect(await queue.messages()).toHaveLength(1);
});

test.each([[undefined], [() => 1]])('%s is no message', async (body) => {
  const queue = await aQueue();
  await expect(send(SERVICE, queue.name, body)).rejects.toThrow('must be a JSON value');
});

test('a delayed message is not there before its time', async () => {
  const queue = await aQueue();
  await send(SERVICE, queue.name, 'later', { delaySeconds: 900 });
  await send(SERVICE, queue.name, 'now', { delaySeconds: -5 });
  expect(await bodies(queue)).toEqual(['now']);
});

test('a queue that is not there is named, with what to do', async () => {
  await expect(send(SERVICE, 'nowhere', 1)).rejects.toThrow(
    /1 of 1 messages were not sent to the queue sinete-[\w-]+-sandbox-nowhere.*does not exist. Declare it in infra/,
  );
});

test('a queue that was missing is found once it exists', async () => {
  const name = `test-${randomUUID()}`;
  await expect(send(SERVICE, name, 1)).rejects.toBeInstanceOf(NotSent);
  const queue = await aQueue(name);
  await send(SERVICE, name, 2);
  expect(await bodies(queue)).toEqual([2]);
});

describe('when SQS refuses single entries', () => {
  const refusing = (SenderFault: boolean, times: number) => {
    const mock = watch();
    let refused = 0;
    mock.on(SendMessageBatchCommand).callsFake(({ Entries = [] }) => {
      refused += 1;
      const Failed = Entries.slice(0, refused <= times ? 1 : 0).map(({ Id }: { Id: string }) => ({
        Id,
        SenderFault,
        Code: 'Throttled',
        Message: 'too fast',
      }));
      return { Failed, Successful: [] };
    });
    return () =>
      mock
        .commandCalls(SendMessageBatchCommand)
        .map((call) => call.args[0].input.Entries?.map(({ Id }) => Id).join());
  };

  test('only those are sent again', async () => {
    const queue = await aQueue();
    const calls = refusing(false, 2);
    await sendAll(SERVICE, queue.name, [{ body: 'a' }, { body: 'b' }]);
    expect(calls()).toEqual(['0,1', '0', '0']);
  });

  test('what is still refused after four attempts is named', async () => {
    const queue = await aQueue();
    const calls = refusing(false, 99);
    const error = await sendAll(SERVICE, queue.name, [{ body: 'a' }, { body: 'b' }]).catch((e) => e);
    expect(error).toMatchObject({ name: 'NotSent', indexes: [0] });
    expect(error.message).toContain('1 of 2 messages were not sent');
    expect(error.message).toContain('message 0: too fast');
    expect(calls()).toEqual(['0,1', '0', '0', '0']);
  });

  test("what is the sender's own fault is not sent again", async () => {
    const queue = await aQueue();
    const calls = refusing(true, 99);
    await expect(sendAll(SERVICE, queue.name, [{ body: 'a' }])).rejects.toBeInstanceOf(NotSent);
    expect(calls()).toEqual(['0']);
  });
});

function watch() {
  const mock = mockClient(SQSClient);
  mock.send.callThrough();
  onTestFinished(() => mock.restore());
  return mock;
}

test('a delay that the queue cannot keep is refused, and nothing is sent', async () => {
  const queue = await aQueue();
  const messages = [{ body: 'now' }, { body: 'recorded', delaySeconds: 901 }];
  await expect(sendAll(SERVICE, queue.name, messages)).rejects.toThrow('15 minutes');
  expect(await queue.messages()).toEqual([]);
});
