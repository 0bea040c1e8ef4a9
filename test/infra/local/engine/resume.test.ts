import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttributeValue,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamo } from '../../../../infra/local/stores/dynamo/server.ts';
import { startObjectsAndQueues } from '../../../../infra/local/stores/objects-and-queues.ts';
import { isDiskFull } from '../../../../shared/command-line/reason.ts';
import { createThings, key, TABLE } from '../stores/dynamo/started.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sinete-resume-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function dynamoIn(path: string) {
  const dynamo = await startDynamo({ folder: path });
  return { ...dynamo, client: new DynamoDBClient({ endpoint: dynamo.endpoint }) };
}

const put = (client: DynamoDBClient, pk: string, more: Record<string, AttributeValue> = {}) =>
  client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key(pk), ...more } }));
const get = async (client: DynamoDBClient, pk: string) =>
  (await client.send(new GetItemCommand({ TableName: TABLE, Key: key(pk) }))).Item;

//   engine   |--takes a lease, a place, a message-- killed
//   engine                                                 |--starts: nobody has them--
test('a start frees the leases and places of the engine before, and leaves everything else', async () => {
  const path = folder();
  const before = await dynamoIn(path);
  await createThings(before.client);
  await put(before.client, 'QUEUE#1', { leaseEndsAtMs: { N: '99999999999999' }, fence: { N: '7' } });
  await put(before.client, 'SEMAPHORE#calls#work#0', { holders: { S: 'somebody' } });
  await put(before.client, 'DOCUMENT#1', { name: { S: 'contrato' } });
  await before.stop();

  const after = await dynamoIn(path);
  onTestFinished(() => after.stop());
  expect(await get(after.client, 'QUEUE#1')).toEqual({ ...key('QUEUE#1'), fence: { N: '7' } });
  expect(await get(after.client, 'SEMAPHORE#calls#work#0')).toBeUndefined();
  expect(await get(after.client, 'DOCUMENT#1')).toMatchObject({ name: { S: 'contrato' } });
});

test('a start makes messages visible that the engine before had in work, and they keep their count', async () => {
  const dataDir = folder();
  const clientOf = ({ endpoint }: { endpoint: string }) =>
    new SQSClient({ endpoint, useQueueUrlAsEndpoint: false });
  const before = await startObjectsAndQueues({ dataDir });
  const { QueueUrl } = await clientOf(before).send(
    new CreateQueueCommand({ QueueName: 'jobs', Attributes: { VisibilityTimeout: '720' } }),
  );
  await clientOf(before).send(new SendMessageCommand({ QueueUrl, MessageBody: 'work' }));
  const receive = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] });
  expect((await clientOf(before).send(receive)).Messages).toHaveLength(1);
  expect((await clientOf(before).send(receive)).Messages ?? []).toEqual([]);
  await before.stop();

  const after = await startObjectsAndQueues({ dataDir });
  onTestFinished(() => after.stop());
  expect(after.damage).toEqual([]);
  const { Messages: [message] = [] } = await clientOf(after).send(receive);
  expect([message?.Body, message?.Attributes?.ApproximateReceiveCount]).toEqual(['work', '2']);
});

test.each([
  ['a file', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })],
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })],
])('a full disk is known as such by what %s says', (_, error) => {
  expect(isDiskFull(error)).toBe(true);
  expect(isDiskFull(new Error('database disk image is malformed'))).toBe(false);
});
