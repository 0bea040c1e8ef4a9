import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { startOwnStores } from '../../../../infra/local/stores/own.ts';
import { isDiskFull } from '../../../../shared/command-line/reason.ts';
import { sqs } from '../../../../shared/queue/client.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { createThings, key, TABLE } from '../../../shared/embedded/tables/started.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sinete-resume-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const put = (pk: string, more: Record<string, AttributeValue> = {}) =>
  dynamo().send(new PutItemCommand({ TableName: TABLE, Item: { ...key(pk), ...more } }));
const get = async (pk: string) =>
  (await dynamo().send(new GetItemCommand({ TableName: TABLE, Key: key(pk) }))).Item;

//   engine   |--takes a lease, a place, a message-- killed
//   engine                                                 |--starts: nobody has them--
test('a start frees the leases and places of the engine before, and leaves everything else', async () => {
  const dataDir = folder();
  const before = await startOwnStores({ dataDir });
  await createThings(dynamo());
  await put('QUEUE#1', { leaseEndsAtMs: { N: '99999999999999' }, fence: { N: '7' } });
  await put('SEMAPHORE#calls#work#0', { holders: { S: 'somebody' } });
  await put('DOCUMENT#1', { name: { S: 'contrato' } });
  await before.stop();

  const after = await startOwnStores({ dataDir });
  onTestFinished(() => after.stop());
  expect(await get('QUEUE#1')).toEqual({ ...key('QUEUE#1'), fence: { N: '7' } });
  expect(await get('SEMAPHORE#calls#work#0')).toBeUndefined();
  expect(await get('DOCUMENT#1')).toMatchObject({ name: { S: 'contrato' } });
});

test('a start makes messages visible that the engine before had in work, and they keep their count', async () => {
  const dataDir = folder();
  const before = await startOwnStores({ dataDir });
  const { QueueUrl } = await sqs().send(
    new CreateQueueCommand({ QueueName: 'jobs', Attributes: { VisibilityTimeout: '720' } }),
  );
  await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'work' }));
  const receive = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] });
  expect((await sqs().send(receive)).Messages).toHaveLength(1);
  expect((await sqs().send(receive)).Messages ?? []).toEqual([]);
  await before.stop();

  const after = await startOwnStores({ dataDir });
  onTestFinished(() => after.stop());
  const { Messages: [message] = [] } = await sqs().send(receive);
  expect([message?.Body, message?.Attributes?.ApproximateReceiveCount]).toEqual(['work', '2']);
});

test.each([
  ['a file', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })],
])('a full disk is known as such by what %s says', (_, error) => {
  expect(isDiskFull(error)).toBe(true);
  expect(isDiskFull(new Error('database disk image is malformed'))).toBe(false);
});
