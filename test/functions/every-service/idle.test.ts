import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { toRecord } from '../../../infra/runtime/events/lambda-batch.ts';
import { readTriggers } from '../../../infra/runtime/events/triggers.ts';
import { readFunctions } from '../../../infra/runtime/functions/declared-functions.ts';
import { contextFor, type Handler } from '../../../infra/runtime/functions/invoke.ts';
import { readDeclared } from '../../../infra/runtime/resources/read.ts';
import { sqs } from '../../../shared/queue/client.ts';
import { dynamo } from '../../../shared/store/client.ts';
import type { IdleMinute } from '../../docs/aws/costs.ts';
import { documentedRows, idleCells } from '../../docs/aws/tables.ts';
import { declaredFunctions } from '../../house/functions.ts';
import { countCalls, sumOf } from '../../measure/calls.ts';
import { forFile } from '../../runner/for-file.ts';
import { batchStage } from '../batch/stage.ts';
import { saveCounted } from '../limit-calls.ts';

const MAX_RUNS = 25;
const MAX_STORE_CALLS = 60;

const STAGE = 'local';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const AFTERNOON_MS = 15 * 3_600_000;
// The rarest schedule of every service but the nightly ones has run once by then.
const MINUTES = 5;

const { schedules, queues } = readTriggers(readFunctions('.'), STAGE, readDeclared('.', STAGE));

const stage = await forFile(batchStage());
const recommended: Record<string, string> = parse(readFileSync('examples/aws/settings.prod.yml', 'utf8'));
for (const [name, value] of Object.entries(recommended)) vi.stubEnv(name, String(value));
vi.stubEnv('Storage__Inputs', 'first=input/first,second=input/second');
await stage.profile({ name: 'first', inputFolder: 'first' });
await stage.profile({ name: 'second', inputFolder: 'second' });

const sources = new Map(functionFiles().map(({ service, name, path }) => [`${service}/${name}`, path]));
const paths = new Map(
  declaredFunctions().map(({ key, name }) => [`sinete-${STAGE}-${key}`, sources.get(name) ?? '']),
);

const handlerOf = async (functionName: string): Promise<Handler> =>
  (await import(pathToFileURL(resolve(paths.get(functionName) ?? '')).href)).handler;

type Message = { readonly queue: string; readonly body: string; readonly atMs: number };

/** Runs something, and answers the messages that it sends. */
async function sentBy(run: () => Promise<unknown>): Promise<Message[]> {
  const sent: Message[] = [];
  sqs().middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        if (commandName === 'SendMessageBatchCommand') {
          const { QueueUrl = '', Entries = [] } = args.input as SendMessageBatchCommandInput;
          const queue = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1);
          for (const { MessageBody: body = '', DelaySeconds = 0 } of Entries)
            sent.push({ queue, body, atMs: Date.now() + 1_000 * DelaySeconds });
        }
        return next(args);
      },
    { step: 'initialize', name: 'sent' },
  );
  try {
    await run();
  } finally {
    sqs().middlewareStack.remove('sent');
  }
  return sent;
}

/** Runs the functions of some minutes as their schedules and the messages of these have them run. Answers their names. */
async function idleFor(minutes: number): Promise<string[]> {
  const runs: string[] = [];
  const run = async (functionName: string, event: unknown, atMs: number): Promise<Message[]> => {
    vi.setSystemTime(atMs);
    runs.push(functionName);
    const handler = await handlerOf(functionName);
    return sentBy(() => handler(event, contextFor(functionName, MINUTE_MS)));
  };
  const startMs = Date.now();
  let waiting: Message[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const fromMs = startMs + minute * MINUTE_MS;
    for (const { functionName, next, input = {} } of schedules)
      if (next(fromMs - 1, startMs) === fromMs) waiting.push(...(await run(functionName, input, fromMs)));
    const inTime = waiting.filter(({ atMs }) => atMs < fromMs + MINUTE_MS);
    waiting = waiting.filter((message) => !inTime.includes(message));
    for (const { queue, body, atMs } of inTime.toSorted((a, b) => a.atMs - b.atMs)) {
      const { functionName = '' } = queues.find(({ queueName }) => queueName === queue) ?? {};
      expect(await run(functionName, { Records: [toRecord({ Body: body }, '')] }, atMs)).toEqual([]);
    }
  }
  return runs;
}

test(`an idle minute of all services has at most ${MAX_RUNS} runs and ${MAX_STORE_CALLS} calls of the store, by the settings for AWS`, async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // The backup and the clean-up of the day are at night.
  vi.setSystemTime(Math.ceil(Date.now() / DAY_MS) * DAY_MS + AFTERNOON_MS);
  await idleFor(MINUTES);
  let runs: string[] = [];
  const { byCommand, keys } = await countCalls(async () => {
    runs = await idleFor(MINUTES);
  }, [dynamo()]);
  const calls = sumOf(byCommand);
  expect(new Set(runs).size).toBeGreaterThan(10);
  expect(runs.length / MINUTES, runs.join(' ')).toBeLessThanOrEqual(MAX_RUNS);
  expect(calls / MINUTES, JSON.stringify(byCommand)).toBeLessThanOrEqual(MAX_STORE_CALLS);
  const { GetItem = 0, Query = 0, BatchGetItem = 0 } = byCommand;
  const minute: IdleMinute = {
    ...{ runs: runs.length / MINUTES, storeCalls: calls / MINUTES, queues: queues.length },
    reads: (GetItem + Query + keys) / MINUTES,
    writes: (calls - GetItem - Query - BatchGetItem) / MINUTES,
  };
  if (process.env.CALLS_FOLDER) saveCounted('idle', minute);
  else
    expect(documentedRows('idle'), 'npm run bench -- calls writes these numbers.').toEqual([
      idleCells(minute),
    ]);
});
