import { describe, expect, test } from 'vitest';
import { readDeclared } from '../../../../infra/runtime/resources/read.ts';
import { rootWith } from './fixture.ts';

const template = (configuration: string) => `
Resources:
  Files:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: files-\${sls:stage}
      NotificationConfiguration: ${configuration}
  Arrivals:
    Type: AWS::SQS::Queue
    Properties: { QueueName: 'arrivals-\${sls:stage}' }
  Ordered:
    Type: AWS::SQS::Queue
    Properties: { QueueName: arrivals.fifo }
`;
const read = (configuration: string) =>
  readDeclared(rootWith({ 'files.yml': template(configuration) }), 'dev').buckets[0]?.notifications;
const rule = (name: string, value: string) => `{ Name: ${name}, Value: '${value}' }`;
const one = (event: string, filter = '', queue = '!GetAtt Arrivals.Arn') =>
  `{ Event: '${event}', Queue: ${queue}${filter && `, Filter: { S3Key: { Rules: [${filter}] } }`} }`;
const several = (...configurations: string[]) => `{ QueueConfigurations: [${configurations.join(', ')}] }`;

const EVERY = 's3:ObjectCreated:*';
const PATH = 'NotificationConfiguration.QueueConfigurations';
const arn = 'arn:aws:sqs:us-east-1:000000000000:arrivals-dev';

test('a notification is read with its queue, its event and its filters', () => {
  const filter = `${rule('suffix', '.pdf')}, ${rule('prefix', 'input/')}`;
  expect(read(several(one(EVERY, filter)))).toEqual([
    { queueArn: arn, event: EVERY, prefix: 'input/', suffix: '.pdf' },
  ]);
  expect(read(several(one('s3:ObjectCreated:Copy', '', arn)))).toEqual([
    { queueArn: arn, event: 's3:ObjectCreated:Copy', prefix: '', suffix: '' },
  ]);
  expect(read('{}')).toEqual([]);
});

test('what we declare ourselves: files in the input folders are notified to a queue', () => {
  const { buckets, queues } = readDeclared(process.cwd(), 'local');
  const queueArn = queues.find(({ logicalId }) => logicalId === 'BatchArrivalsQueue')?.arn;
  expect(buckets.find(({ logicalId }) => logicalId === 'BatchBucket')?.notifications).toEqual([
    { queueArn, event: EVERY, prefix: 'input/', suffix: '' },
  ]);
});

describe('a declaration that would not be honored stops the start, in one line with file, resource and property', () => {
  test.each([
    [
      'functions',
      `{ LambdaConfigurations: [{ Event: '${EVERY}', Function: !GetAtt Nothing.Arn }] }`,
      'NotificationConfiguration: the local engine does not honor LambdaConfigurations',
    ],
    [
      'topics',
      `{ TopicConfigurations: [{ Event: '${EVERY}', Topic: !Ref Nothing }] }`,
      'NotificationConfiguration: the local engine does not honor TopicConfigurations',
    ],
    [
      'EventBridge',
      '{ EventBridgeConfiguration: { EventBridgeEnabled: true } }',
      'NotificationConfiguration: the local engine does not honor EventBridgeConfiguration',
    ],
    [
      'another event',
      several(one('s3:ObjectRemoved:*')),
      `${PATH}.0.Event: s3:ObjectRemoved:* is not emitted here; use s3:ObjectCreated:*, s3:ObjectCreated:Put, `,
    ],
    [
      'no event',
      several('{ Queue: !GetAtt Arrivals.Arn }'),
      `${PATH}.0.Event: undefined is not emitted here`,
    ],
    [
      'another filter',
      several(one(EVERY, rule('contains', 'a'))),
      `${PATH}.0.Filter.S3Key.Rules.0.Name: contains is not a filter; use prefix or suffix`,
    ],
    [
      'a filter by something else than the key',
      several(`{ Event: '${EVERY}', Queue: !GetAtt Arrivals.Arn, Filter: { S3Tag: {} } }`),
      `${PATH}.0.Filter`,
    ],
    [
      'a filter twice',
      several(one(EVERY, `${rule('prefix', 'a/')}, ${rule('prefix', 'b/')}`)),
      `${PATH}.0.Filter.S3Key.Rules: has a filter twice`,
    ],
    [
      'a filter with characters that S3 wants encoded',
      several(one(EVERY, rule('prefix', 'my files/'))),
      `${PATH}.0.Filter.S3Key.Rules.0.Value: use only letters, digits and / . - _ *`,
    ],
    [
      'a queue that is not declared',
      several(one(EVERY, '', '!GetAtt Nowhere.Arn')),
      `${PATH}.0.Queue: infra: Nowhere is not a table, bucket or queue with a name`,
    ],
    [
      'the ARN of a queue that is not declared',
      several(one(EVERY, '', 'arn:aws:sqs:us-east-1:000000000000:nowhere')),
      `${PATH}.0.Queue: infra/*.yml declares no queue arn:aws:sqs:us-east-1:000000000000:nowhere`,
    ],
    [
      'a queue that is a bucket',
      several(one(EVERY, '', '!GetAtt Files.Arn')),
      `${PATH}.0.Queue: infra/*.yml declares no queue arn:aws:s3:::files-dev`,
    ],
    [
      'a FIFO queue',
      several(one(EVERY, '', '!GetAtt Ordered.Arn')),
      `${PATH}.0.Queue: S3 sends to no FIFO queue`,
    ],
  ])('%s', (_name, configuration, line) => {
    expect(() => read(configuration)).toThrow(`infra/files.yml: Files: ${line}`);
    expect(() => read(configuration)).toThrow(/^.*$/);
  });
});

describe('filters that overlap for the same event', () => {
  const both = (a: string, b: string) => read(several(a, b));
  const PUT = 's3:ObjectCreated:Put';

  test.each([
    ['no filter at all', one(EVERY), one(EVERY, rule('prefix', 'a/'))],
    ['a folder in the other', one(EVERY, rule('prefix', 'a/b/')), one(EVERY, rule('prefix', 'a/'))],
    ['the same event among all', one(PUT, rule('prefix', 'a/')), one(EVERY, rule('prefix', 'a/'))],
    ['a prefix and a suffix', one(PUT, rule('prefix', 'a/')), one(PUT, rule('suffix', '.pdf'))],
    ['a suffix in the other', one(PUT, rule('suffix', '.pdf')), one(PUT, rule('suffix', '-1.pdf'))],
  ])('are refused, as S3 does: %s', (_name, a, b) => {
    expect(() => both(a, b)).toThrow(
      `infra/files.yml: Files: ${PATH}.1: S3 refuses filters that overlap for the same event, as those of ${PATH}.0 do`,
    );
  });

  test.each([
    ['other folders', one(EVERY, rule('prefix', 'a/')), one(EVERY, rule('prefix', 'b/'))],
    ['other suffixes', one(EVERY, rule('suffix', '.pdf')), one(EVERY, rule('suffix', '.xml'))],
    ['other events', one(PUT), one('s3:ObjectCreated:Copy')],
  ])('are not these: %s', (_name, a, b) => {
    expect(both(a, b)).toHaveLength(2);
  });
});
