import { expect, test } from 'vitest';
import { readDeclared } from '../../../../infra/runtime/resources/read.ts';
import { rootWith } from './fixture.ts';

const queue = (properties: string) => `
Resources:
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: sinete-\${sls:stage}-jobs
${properties.replace(/^/gm, '      ')}
  Dead:
    Type: AWS::SQS::Queue
    Properties: { QueueName: !Sub 'sinete-\${sls:stage}-dead' }
`;
const redrive = JSON.stringify({
  deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:sinete-local-dead',
  maxReceiveCount: 5,
});

test('a queue is read with its attributes as the service takes them', () => {
  const text = queue('VisibilityTimeout: 360\nDelaySeconds: 0\nSqsManagedSseEnabled: true');
  const { queues } = readDeclared(rootWith({ 'jobs.yml': text }), 'local');
  expect(queues[0]).toEqual({
    logicalId: 'Jobs',
    name: 'sinete-local-jobs',
    arn: 'arn:aws:sqs:us-east-1:000000000000:sinete-local-jobs',
    attributes: { VisibilityTimeout: '360', DelaySeconds: '0' },
  });
});

test.each([
  ['!GetAtt Dead.Arn'],
  ['!GetAtt [Dead, Arn]'],
  ["{ 'Fn::GetAtt': [Dead, Arn] }"],
  ["{ 'Fn::GetAtt': Dead.Arn }"],
  [`!Sub '\${Dead.Arn}'`],
  [`!Sub ['\${queue}', { queue: !GetAtt Dead.Arn }]`],
  [`!Sub 'arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:sinete-\${sls:stage}-dead'`],
  [`!Join [':', ['arn:aws:sqs', !Ref AWS::Region, !Ref AWS::AccountId, 'sinete-\${sls:stage}-dead']]`],
])('a dead-letter queue named by %s is found', (reference) => {
  const text = queue(`RedrivePolicy: { deadLetterTargetArn: ${reference}, maxReceiveCount: 5 }`);
  const { queues } = readDeclared(rootWith({ 'jobs.yml': text }), 'local');
  expect(queues[0]?.attributes.RedrivePolicy).toBe(redrive);
});

test('a reference reaches into another file', () => {
  const [jobs = '', dead = ''] = queue(
    'RedrivePolicy: { deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: 5 }',
  ).split(/(?= {2}Dead:)/);
  const { queues } = readDeclared(rootWith({ 'a.yml': jobs, 'b.yml': `Resources:\n${dead}` }), 'local');
  expect(queues.find(({ logicalId }) => logicalId === 'Jobs')?.attributes.RedrivePolicy).toBe(redrive);
});

test('a bucket is read with its rules for other origins in the words of the API', () => {
  const text = `
Resources:
  Files:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: !Sub files-\${sls:stage}-\${AWS::AccountId}
      CorsConfiguration:
        CorsRules:
          - { Id: pages, AllowedMethods: [PUT], AllowedOrigins: ['*'], ExposedHeaders: [ETag], MaxAge: 60 }
`;
  expect(readDeclared(rootWith({ 'files.yml': text }), 'dev').buckets).toEqual([
    {
      logicalId: 'Files',
      name: 'files-dev-000000000000',
      cors: [
        {
          ID: 'pages',
          AllowedMethods: ['PUT'],
          AllowedOrigins: ['*'],
          ExposeHeaders: ['ETag'],
          MaxAgeSeconds: 60,
        },
      ],
      notifications: [],
    },
  ]);
});

test('properties that have no meaning here may use any function', () => {
  const text = queue("KmsMasterKeyId: !If [Deployed, !ImportValue key, !Ref 'AWS::NoValue']");
  expect(readDeclared(rootWith({ 'jobs.yml': text }), 'local').queues).toHaveLength(2);
});

test.each([
  ['VisibilityTimeout: { "Fn::If": [A, 1, 2] }', 'Fn::If is not understood here'],
  ['RedrivePolicy: { deadLetterTargetArn: !GetAtt Nowhere.Arn }', 'Nowhere is not a table, bucket or queue'],
  ['RedrivePolicy: { deadLetterTargetArn: !GetAtt Dead.QueueName }', 'Dead.QueueName is not understood here'],
])('%s is refused with its name', (property, message) => {
  expect(() => readDeclared(rootWith({ 'jobs.yml': queue(property) }), 'local')).toThrow(message);
});

test('a logical id in two files is refused', () => {
  const files = { 'a.yml': queue('DelaySeconds: 1'), 'b.yml': queue('DelaySeconds: 2') };
  expect(() => readDeclared(rootWith(files), 'local')).toThrow(/b\.yml declares Jobs, which another file/);
});

test('a file that is not YAML is refused with its name', () => {
  expect(() => readDeclared(rootWith({ 'odd.yml': 'Resources: [' }), 'local')).toThrow(
    /odd\.yml is not readable/,
  );
});

test('a resource without a name is refused with its logical id', () => {
  const text = 'Resources:\n  Files:\n    Type: AWS::S3::Bucket\n';
  expect(() => readDeclared(rootWith({ 'files.yml': text }), 'local')).toThrow('Files declares no name');
});

test('every service has its table in what we declare ourselves', () => {
  const { tables, queues } = readDeclared(process.cwd(), 'local');
  expect(tables.map(({ name }) => name)).toContain('sinete-local-session');
  for (const { attributes } of queues.filter((one) => one.attributes.RedrivePolicy)) {
    const { deadLetterTargetArn } = JSON.parse(attributes.RedrivePolicy ?? '');
    expect(queues.map(({ arn }) => arn)).toContain(deadLetterTargetArn);
  }
});
