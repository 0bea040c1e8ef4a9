import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBucket, createDeclared, notifyQueues } from '../../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../../infra/runtime/resources/read.ts';
import { s3 as getS3 } from '../../../../shared/files/client.ts';
import { sqs as getSqs } from '../../../../shared/queue/client.ts';
import { dynamo as getDynamo } from '../../../../shared/store/client.ts';
import { rootWith } from './fixture.ts';

const DUE = `
      GlobalSecondaryIndexes:
        - IndexName: due
          KeySchema: [{ AttributeName: duePk, KeyType: HASH }, { AttributeName: dueAt, KeyType: RANGE }]
          Projection: { ProjectionType: ALL }`;

const template = ({ index = DUE, key = 'pk', visibility = 30 } = {}) => `
Resources:
  Table:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: things-\${sls:stage}
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - { AttributeName: ${key}, AttributeType: S }${
          index &&
          `
        - { AttributeName: duePk, AttributeType: S }
        - { AttributeName: dueAt, AttributeType: N }`
        }
      KeySchema: [{ AttributeName: ${key}, KeyType: HASH }]${index}
      TimeToLiveSpecification: { AttributeName: ttl, Enabled: true }
  Bucket:
    Type: AWS::S3::Bucket
    Properties: { BucketName: !Sub 'files-\${sls:stage}' }
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: jobs-\${sls:stage}
      VisibilityTimeout: ${visibility}
      RedrivePolicy: { deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 3 }
  Dead:
    Type: AWS::SQS::Queue
    Properties: { QueueName: 'jobs-\${sls:stage}-dead', MessageRetentionPeriod: 1209600 }
`;

// A stage of its own gives every test names of its own in the shared stores.
const newStage = () => crypto.randomUUID().slice(0, 8);
const declared = (stage: string, changes: Parameters<typeof template>[0] = {}) =>
  readDeclared(rootWith({ 'all.yml': template(changes) }), stage);

const [dynamo, s3, sqs] = [getDynamo(), getS3(), getSqs()];

async function queueAttributes(name: string) {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  return (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
}

test('what is declared is created: a table that expires, a bucket, a queue with its dead-letter queue', async () => {
  const stage = newStage();
  const say = vi.fn();
  await createDeclared(declared(stage), say);
  const TableName = `things-${stage}`;
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
  expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['due']);
  const { TimeToLiveDescription } = await dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  await s3.send(new HeadBucketCommand({ Bucket: `files-${stage}` }));
  const attributes = await queueAttributes(`jobs-${stage}`);
  expect(attributes?.VisibilityTimeout).toBe('30');
  expect(JSON.parse(attributes?.RedrivePolicy ?? '')).toMatchObject({
    deadLetterTargetArn: (await queueAttributes(`jobs-${stage}-dead`))?.QueueArn,
  });
  expect(say).not.toHaveBeenCalled();
});

test('doing it again changes nothing, and two at once do not disturb each other', async () => {
  const wanted = declared(newStage());
  const say = vi.fn();
  await Promise.all([createDeclared(wanted, say), createDeclared(wanted, say), createDeclared(wanted, say)]);
  await createDeclared(wanted, say);
  expect(say).not.toHaveBeenCalled();
});

test('a queue takes the attributes that are declared by now', async () => {
  const stage = newStage();
  await createDeclared(declared(stage, { visibility: 30 }));
  await createDeclared(declared(stage, { visibility: 45 }));
  const attributes = await queueAttributes(`jobs-${stage}`);
  expect(attributes?.VisibilityTimeout).toBe('45');
  expect(attributes?.RedrivePolicy).toContain(`jobs-${stage}-dead`);
});

test('an index that a table lacks is added, its items are kept, and one line says so', async () => {
  const stage = newStage();
  const TableName = `things-${stage}`;
  await createDeclared(declared(stage, { index: '' }));
  const Item = { pk: { S: 'a' }, duePk: { S: 'today' }, dueAt: { N: '5' } };
  await dynamo.send(new PutItemCommand({ TableName, Item }));
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await Promise.all([createDeclared(declared(stage), say), createDeclared(declared(stage), say)]);
  const { Items } = await dynamo.send(
    new QueryCommand({
      TableName,
      IndexName: 'due',
      KeyConditionExpression: 'duePk = :today',
      ExpressionAttributeValues: { ':today': { S: 'today' } },
    }),
  );
  expect(Items).toEqual([Item]);
  expect(said).toEqual([`Table ${TableName}: added the index due; its items are kept.`]);
});

test('a table with other keys is left alone, and the refusal says what to do', async () => {
  const stage = newStage();
  await createDeclared(declared(stage));
  await expect(createDeclared(declared(stage, { key: 'id' }))).rejects.toThrow(
    `Table things-${stage} has the keys pk, infra/ declares id. Keys cannot change: delete the table.`,
  );
});

/** An S3 that accepts everything and records it. */
async function recordingS3() {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new S3Client({ endpoint, forcePathStyle: true });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { seen, client };
}

test('a bucket notifies its queue from its creation on', async () => {
  const stage = newStage();
  const notifying = template().replace(
    /BucketName: !Sub 'files-[^']*'/,
    `$&, NotificationConfiguration: { QueueConfigurations: [{ Event: s3:ObjectCreated:Put, Queue: !GetAtt Queue.Arn, Filter: { S3Key: { Rules: [{ Name: prefix, Value: in/ }] } } }] }`,
  );
  await createDeclared(readDeclared(rootWith({ 'all.yml': notifying }), stage));
  for (const Key of ['in/a', 'out/a'])
    await s3.send(new PutObjectCommand({ Bucket: `files-${stage}`, Key, Body: 'text' }));
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: `jobs-${stage}` }));
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  expect(Messages.map(({ Body = '' }) => JSON.parse(Body).Records[0].s3.object.key)).toEqual(['in/a']);
});

test("a bucket's notifications are sent to S3", async () => {
  const { seen, client } = await recordingS3();
  const notification = { event: 's3:ObjectCreated:*', prefix: 'in/', suffix: '', queueArn: 'arn:q' } as const;
  await notifyQueues(client, { logicalId: 'Files', name: 'files', cors: [], notifications: [notification] });
  const [sent] = seen;
  expect(sent).toMatch(/^PUT \/files\/?\?notification/);
  expect(sent).toContain('<Queue>arn:q</Queue>');
  expect(sent).toContain('<Event>s3:ObjectCreated:*</Event>');
  expect(sent).toContain('<FilterRule><Name>prefix</Name><Value>in/</Value></FilterRule>');
  expect(sent).not.toContain('suffix');
});

test("a bucket's rules for other origins are sent to S3", async () => {
  const { seen, client } = await recordingS3();
  const rule = { AllowedMethods: ['PUT'], AllowedOrigins: ['https://example.org'] };
  await createBucket(client, { logicalId: 'Files', name: 'files', cors: [rule], notifications: [] });
  const [, sent] = seen;
  expect(sent).toMatch(/^PUT \/files\/?\?cors/);
  expect(sent).toContain('<AllowedOrigin>https://example.org</AllowedOrigin>');
});
