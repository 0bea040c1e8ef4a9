import { expect, test } from 'vitest';
import { settings as documentsSettings } from '../../../functions/documents/settings.ts';
import { manualsOf, variablesOf } from '../../../infra/settings.ts';
import { declaredFunctions } from '../../house/functions.ts';
import { STAGE_SETTINGS } from '../sample-repository.ts';
import { ofType, type Properties, references, type Template } from './template.ts';

const API_GATEWAY_MS = 29_000;
const STREAMED_MS = 900_000;
const NAMED = /^(?:ssm|secretsmanager):/;
const ENVIRONMENT_BYTES = 4_096;
const MEGABYTE = 1_048_576;

type Integration = { TimeoutInMillis?: number; ResponseTransferMode?: string };
type Lambda = Properties & { MemorySize: number; Environment: { Variables: Record<string, unknown> } };
type EventSource = Properties & { BatchSize: number; ScalingConfig?: { MaximumConcurrency: number } };

type QueuePolicy = { Queues: unknown; PolicyDocument: { Statement: { Effect: string }[] } };
type NotifyingBucket = {
  BucketName?: { 'Fn::Sub': string };
  NotificationConfiguration?: { QueueConfigurations: { Queue: unknown }[] };
};

/** Tests of the rules that AWS itself has, on the packaged template of a service. */
export function awsRules(service: string, templateOf: () => Template): void {
  const prefix = service.charAt(0).toUpperCase() + service.slice(1);
  const declared = declaredFunctions().filter((each) => each.service === service);
  const lambdaId = (key: string) => `${key.charAt(0).toUpperCase()}${key.slice(1)}LambdaFunction`;
  const isScheduled = declared.some(({ events }) => events.some(({ schedule }) => schedule !== undefined));
  const lambdas = () => ofType<Lambda>(templateOf(), 'AWS::Lambda::Function');

  test('has no method that waits more than 29 s for a whole answer: that needs a quota of the account', () => {
    for (const { id, Properties } of ofType(templateOf(), 'AWS::ApiGateway::Method')) {
      const { TimeoutInMillis = 0, ResponseTransferMode } = Properties.Integration as Integration;
      const streams = ResponseTransferMode === 'STREAM';
      expect(TimeoutInMillis, id).toBeLessThanOrEqual(streams ? STREAMED_MS : API_GATEWAY_MS);
    }
  });

  test('lets the functions run in a loop that say so, and no other', () => {
    const loops = declared.filter(({ recursiveLoop }) => recursiveLoop === 'Allow');
    const allowed = lambdas().filter(({ Properties }) => Properties.RecursiveLoop === 'Allow');
    expect(allowed.map(({ id }) => id)).toEqual(loops.map(({ key }) => lambdaId(key)));
  });

  test('gives its functions the settings that they read, none of another service’s, and in all less than 4 KB', async () => {
    const read = variablesOf(await manualsOf(service));
    const wanted = Object.entries(STAGE_SETTINGS).filter(([name]) => read.has(name) || name === 'TZ');
    for (const { id, Properties } of lambdas()) {
      const { Variables } = Properties.Environment;
      const isPublic = JSON.stringify(Properties.Role).includes('PublicRole');
      const given = wanted.map(([name, value]) => [
        name,
        isPublic && NAMED.test(value) ? 'withheld:' : value,
      ]);
      expect(Variables, id).toMatchObject(Object.fromEntries(given));
      const others = Object.keys(Variables).filter((name) => name.includes('__') && !read.has(name));
      expect(others, id).toEqual([]);
      expect(JSON.stringify(Variables).length, id).toBeLessThan(ENVIRONMENT_BYTES);
    }
  });

  test('lets its functions read the values that their settings name, and no public function any', async () => {
    const read = variablesOf(await manualsOf(service));
    const named = Object.entries(STAGE_SETTINGS).filter(
      ([name, value]) => read.has(name) && NAMED.test(value),
    );
    for (const { id, Properties } of ofType<{ Policies: unknown }>(templateOf(), 'AWS::IAM::Role')) {
      const policies = JSON.stringify(Properties.Policies);
      const isReader = named.length > 0 && !id.endsWith('PublicRole');
      expect(policies.includes('ssm:GetParameters'), id).toBe(isReader);
      for (const [, value] of isReader ? named : [])
        expect(policies, id).toContain(value.replace(/^\w+:\/?|#.*/g, ''));
    }
  });

  test('tells its functions the URL of each queue, so that none asks SQS for it', () => {
    const queues = ofType<{ QueueName: string }>(templateOf(), 'AWS::SQS::Queue').filter(({ id }) =>
      id.endsWith('Queue'),
    );
    const urls = queues.map(({ id, Properties }) => [
      `QUEUE_URL_${Properties.QueueName.replace('sinete-prod-', '').toUpperCase().replaceAll('-', '_')}`,
      { Ref: id },
    ]);
    for (const { Properties } of lambdas()) {
      const given = Object.entries(Properties.Environment.Variables);
      expect(given.filter(([name]) => name.startsWith(`QUEUE_URL_${service.toUpperCase()}_`))).toEqual(urls);
    }
  });

  test('limits how many functions a queue starts, so that callers have the rest of the account', () => {
    for (const { id, Properties } of ofType<EventSource>(templateOf(), 'AWS::Lambda::EventSourceMapping')) {
      expect(Properties.ScalingConfig?.MaximumConcurrency, id).toBeGreaterThanOrEqual(2);
      expect(Properties.ScalingConfig?.MaximumConcurrency, id).toBeLessThanOrEqual(50);
    }
  });

  test('does not run a schedule again that failed or is a minute late: the next run does the work', () => {
    const configured = ofType(templateOf(), 'AWS::Lambda::EventInvokeConfig');
    const runs = ofType(templateOf(), 'AWS::Events::Rule').map(({ Properties }) =>
      references(Properties.Targets),
    );
    // A function may have several schedules.
    const scheduled = new Set(runs.map((run) => JSON.stringify(run)));
    const ready = configured.map(({ Properties }) => JSON.stringify(references(Properties.FunctionName)));
    expect(ready.toSorted()).toEqual([...scheduled].toSorted());
    for (const { Properties } of configured)
      expect(Properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  });

  test('has a dead-letter queue for schedules if it has schedules', () => {
    expect(`${prefix}ScheduleDeadLetter` in templateOf().Resources).toBe(isScheduled);
  });

  test('lets a dead-letter queue be the one of its own queue alone', () => {
    const allowedBy = (name: string) => ({
      redrivePermission: 'byQueue',
      sourceQueueArns: [
        { 'Fn::Sub': `arn:\${AWS::Partition}:sqs:\${AWS::Region}:\${AWS::AccountId}:${name}` },
      ],
    });
    const queues = ofType<{ QueueName: string }>(templateOf(), 'AWS::SQS::Queue');
    for (const { id, Properties } of queues.filter((queue) => queue.id.endsWith('DeadLetter'))) {
      const policy = (Properties as Properties).RedriveAllowPolicy;
      const own = queues.find((queue) => queue.id === id.replace(/DeadLetter$/, 'Queue'));
      expect(policy, id).toEqual(
        own ? allowedBy(own.Properties.QueueName) : { redrivePermission: 'denyAll' },
      );
    }
  });

  test('lets a bucket send to the queue that it notifies, and nobody else to any queue by its policy', () => {
    const template = templateOf();
    const granted = ofType<QueuePolicy>(template, 'AWS::SQS::QueuePolicy').flatMap(({ id, Properties }) =>
      Properties.PolicyDocument.Statement.filter(({ Effect }) => Effect !== 'Deny').map((statement) => ({
        policies: [id],
        queues: references(Properties.Queues),
        statement,
      })),
    );
    const wanted = ofType<NotifyingBucket>(template, 'AWS::S3::Bucket').flatMap(
      ({ DependsOn, Properties: { BucketName, NotificationConfiguration } }) =>
        (NotificationConfiguration?.QueueConfigurations ?? []).map(({ Queue }) => ({
          // S3 asks the queue when the notification is created, so the policy must be there.
          policies: [DependsOn ?? []].flat(),
          queues: references(Queue),
          statement: {
            Sid: 'OwnBucketOnly',
            Effect: 'Allow',
            Principal: { Service: 's3.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: Queue,
            Condition: {
              ArnEquals: {
                'aws:SourceArn': { 'Fn::Sub': `arn:\${AWS::Partition}:s3:::${BucketName?.['Fn::Sub']}` },
              },
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            },
          },
        })),
    );
    expect(granted).toEqual(wanted);
    expect(wanted).toHaveLength(service === 'batch' ? 1 : 0);
  });

  test('reserves no concurrency unless it is asked to', () => {
    for (const { id, Properties } of lambdas())
      expect([undefined, { Ref: 'AWS::NoValue' }], id).toContainEqual(
        Properties.ReservedConcurrentExecutions,
      );
  });

  if (service !== 'documents') return;

  test('has the memory to verify as many of the largest documents as a batch has, each in twice its size', () => {
    const sources = ofType<EventSource>(templateOf(), 'AWS::Lambda::EventSourceMapping');
    const ofTasks = sources.find(({ Properties }) =>
      references(Properties.EventSourceArn).includes('DocumentsTasksQueue'),
    );
    const worker = lambdas().find(({ id }) => id === 'DocumentsRunTaskLambdaFunction')?.Properties;
    const largest = documentsSettings['Uploads:MaxBytes'] / MEGABYTE;
    const needed = (ofTasks?.Properties.BatchSize ?? 0) * 2 * largest;
    // The rest is for the runtime and the code.
    expect(needed).toBeGreaterThan(0);
    expect(needed).toBeLessThanOrEqual((worker?.MemorySize ?? 0) - 512);
  });

  test('closes invoices every day, so that a month that failed does not wait for the next', () => {
    const rule = templateOf().Resources.DocumentsCloseInvoicesEventsRuleSchedule1;
    expect(rule?.Properties.ScheduleExpression).toBe('cron(0 6 * * ? *)');
  });

  test('lets the pages of the origins in its settings use presigned links', () => {
    expect(templateOf().Resources.DocumentsBucket?.Properties.CorsConfiguration).toMatchObject({
      CorsRules: [{ AllowedOrigins: ['https://app.example'], AllowedMethods: ['GET', 'PUT'] }],
    });
  });
}
