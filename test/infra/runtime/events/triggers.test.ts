import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readTriggers } from '../../../../infra/runtime/events/triggers.ts';
import { readFunctions } from '../../../../infra/runtime/functions/declared-functions.ts';
import { readDeclared } from '../../../../infra/runtime/resources/read.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const INFRA = `
Resources:
  UploadsQueue:
    Type: AWS::SQS::Queue
    Properties: { QueueName: 'sinete-\${sls:stage}-documents-uploads' }
`;

function read(functionsYaml: string) {
  const root = mkdtempSync(join(tmpdir(), 'sinete-triggers-'));
  folders.push(root);
  mkdirSync(join(root, 'functions/documents'), { recursive: true });
  mkdirSync(join(root, 'infra'));
  writeFileSync(join(root, 'infra/documents.yml'), INFRA);
  writeFileSync(join(root, 'functions/documents/functions.yml'), functionsYaml);
  return readTriggers(readFunctions(root), 'local', readDeclared(root, 'local'));
}

const worker = (events: string) =>
  `documentsWork:\n  handler: dist/documents/work.handler\n  events:\n    - ${events}`;

describe('the triggers in functions.yml', () => {
  test.each([
    ['the long form', '{ Fn::GetAtt: [UploadsQueue, Arn] }'],
    ['the short form', '!GetAtt UploadsQueue.Arn'],
    ['an ARN', 'arn:aws:sqs:us-east-1:000000000000:sinete-local-documents-uploads'],
  ])('a queue is found by %s of its reference', (_name, arn) => {
    expect(read(worker(`sqs:\n        arn: ${arn}`)).queues).toEqual([
      {
        functionName: 'sinete-local-documentsWork',
        queueName: 'sinete-local-documents-uploads',
        batchSize: 10,
        windowSeconds: 0,
        reportsItemFailures: false,
        concurrency: 10,
        mayLoop: false,
      },
    ]);
  });

  test('what a queue event declares is kept', () => {
    const event =
      'sqs: { arn: { Fn::GetAtt: [UploadsQueue, Arn] }, batchSize: 50, maximumBatchingWindow: 2, functionResponseType: ReportBatchItemFailures, maximumConcurrency: 50 }';
    expect(read(worker(event)).queues).toMatchObject([
      { batchSize: 50, windowSeconds: 2, reportsItemFailures: true, concurrency: 50 },
    ]);
  });

  test('a function may send to its own queue without end only where it says so', () => {
    const event = 'sqs: { arn: { Fn::GetAtt: [UploadsQueue, Arn] } }';
    const saying = (line: string) => read(`${worker(event)}\n  ${line}`).queues.map(({ mayLoop }) => mayLoop);
    expect([saying('recursiveLoop: Allow'), saying('recursiveLoop: Terminate')]).toEqual([[true], [false]]);
    expect(() => saying('recursiveLoop: Sometimes')).toThrow('recursiveLoop');
  });

  test('a schedule is a text, or an object with one expression or several', () => {
    const { schedules } = read(`
documentsA: { handler: x, events: [{ schedule: rate(1 minute) }] }
documentsB: { handler: x, maximumRetryAttempts: 0, events: [{ schedule: { rate: ['cron(0 1 * * ? *)', rate(2 days)], input: { all: true } } }] }
`);
    expect(schedules).toMatchObject([
      { functionName: 'sinete-local-documentsA', expression: 'rate(1 minute)', retries: 2 },
      {
        functionName: 'sinete-local-documentsB',
        expression: 'cron(0 1 * * ? *)',
        retries: 0,
        input: { all: true },
      },
      {
        functionName: 'sinete-local-documentsB',
        expression: 'rate(2 days)',
        retries: 0,
        input: { all: true },
      },
    ]);
  });

  test('a disabled event is left out', () => {
    expect(
      read(`
documentsA: { handler: x, events: [{ schedule: { rate: rate(1 minute), enabled: false } }] }
documentsB: { handler: x, events: [{ sqs: { arn: { Fn::GetAtt: [UploadsQueue, Arn] }, enabled: false } }] }
`),
    ).toEqual({ queues: [], schedules: [] });
  });

  test('functions with other events, or none, have no triggers', () => {
    expect(read('documentsA: { handler: x, events: [{ http: GET a }] }\ndocumentsB: { handler: y }')).toEqual(
      {
        queues: [],
        schedules: [],
      },
    );
    expect(read('')).toEqual({ queues: [], schedules: [] });
  });

  test.each([
    ['sqs: { arn: { Fn::GetAtt: [Nowhere, Arn] } }', 'infra/*.yml declares no queue Nowhere'],
    ['sqs: { arn: x, batchSize: 11 }', 'maximumBatchingWindow'],
    ['sqs: { arn: x, batchSize: 0 }', 'batchSize'],
    ['sqs: { arn: x, filterPatterns: [{ a: [1] }] }', 'filterPatterns'],
    ['schedule: { rate: rate(1 minute), timezone: America/Sao_Paulo }', 'timezone'],
    ['schedule: rate(1 minutes)', 'rate(1 minutes)'],
    ['schedule: { rate: rate(5 seconds), enabled: false }', 'rate(5 seconds)'],
    ['schedule: {}', 'rate'],
  ])('%s is refused, naming the file, the function and the trouble', (event, trouble) => {
    const reading = () => read(worker(event));
    expect(reading).toThrow('functions/documents/functions.yml: documentsWork: ');
    expect(reading).toThrow(trouble);
  });
});
