// The queues and schedules of functions/*/functions.yml. A declaration that the event sources here do not support is
// refused: it would work differently on AWS.
import * as z from 'zod';
import { workersOf } from '../../queue-workers.ts';
import type { DeclaredFunction } from '../functions/declared-functions.ts';
import { functionName } from '../functions/invoke.ts';
import { explain } from '../resources/explain.ts';
import type { Declared } from '../resources/read.ts';
import type { QueueTrigger } from './queue-source.ts';
import { readSchedule } from './schedule-expression.ts';
import type { ScheduleTrigger } from './schedule-source.ts';

export type Triggers = { queues: QueueTrigger[]; schedules: ScheduleTrigger[] };

/**
 * Batches of a queue in work at once where its function declares no maximumConcurrency. Lambda would go up to the
 * account's limit, on as many machines. Here all share one: work waits mostly for the disk and for other services, so
 * that ten batches of ten messages keep its cores busy, and ten events of 6 MB still fit its memory.
 */
const DEFAULT_CONCURRENCY = 10;
/** Lambda's own default for asynchronous events. */
const DEFAULT_RETRIES = 2;

const Arn = z.union([
  z.string(),
  z.strictObject({ 'Fn::GetAtt': z.union([z.string(), z.array(z.string())]) }),
]);
const SqsEvent = z.strictObject({
  arn: Arn,
  batchSize: z.int().min(1).max(10_000).default(10),
  maximumBatchingWindow: z.int().min(0).max(300).default(0),
  enabled: z.boolean().default(true),
  functionResponseType: z.literal('ReportBatchItemFailures').optional(),
  maximumConcurrency: z.int().min(2).max(1000).optional(),
});
const ScheduleEvent = z.strictObject({
  rate: z.union([z.string(), z.array(z.string()).min(1)]),
  enabled: z.boolean().default(true),
  input: z.unknown().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
});
const FunctionShape = z.object({
  events: z.array(z.record(z.string(), z.unknown())).default([]),
  maximumRetryAttempts: z.int().min(0).max(2).default(DEFAULT_RETRIES),
  recursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
});

/**
 * The triggers of every service's functions, with their queues found among the declared ones.
 * @example readTriggers(readFunctions(root), 'local', readDeclared(root, 'local'))
 */
export function readTriggers(functions: DeclaredFunction[], stage: string, declared: Declared): Triggers {
  const found = functions.map(({ file, key, definition }) => {
    try {
      return triggersOf(functionName(stage, key), definition, declared);
    } catch (error) {
      throw new Error(`${file}: ${key}: ${explain(error)}`, { cause: error });
    }
  });
  return {
    queues: found.flatMap(({ queues }) => queues),
    schedules: found.flatMap(({ schedules }) => schedules),
  };
}

function triggersOf(functionName: string, definition: unknown, declared: Declared): Triggers {
  const { events, maximumRetryAttempts, recursiveLoop } = FunctionShape.parse(definition);
  const mayLoop = recursiveLoop === 'Allow';
  return {
    queues: events.flatMap(({ sqs }) =>
      sqs === undefined ? [] : queueTrigger(functionName, sqs, declared).map((one) => ({ ...one, mayLoop })),
    ),
    schedules: events.flatMap(({ schedule }) =>
      schedule === undefined ? [] : scheduleTriggers(functionName, schedule, maximumRetryAttempts),
    ),
  };
}

function queueTrigger(
  functionName: string,
  event: unknown,
  declared: Declared,
): Omit<QueueTrigger, 'mayLoop'>[] {
  const sqs = SqsEvent.parse(typeof event === 'string' ? { arn: event } : event);
  if (sqs.batchSize > 10 && sqs.maximumBatchingWindow === 0) {
    throw new Error('a batchSize over 10 needs a maximumBatchingWindow of 1 second or more');
  }
  if (!sqs.enabled) return [];
  return [
    {
      functionName,
      queueName: queueOf(sqs.arn, declared),
      batchSize: sqs.batchSize,
      windowSeconds: sqs.maximumBatchingWindow,
      reportsItemFailures: sqs.functionResponseType !== undefined,
      concurrency: workersOf(functionName) ?? sqs.maximumConcurrency ?? DEFAULT_CONCURRENCY,
    },
  ];
}

function queueOf(arn: z.infer<typeof Arn>, declared: Declared): string {
  if (typeof arn === 'string') return arn.slice(arn.lastIndexOf(':') + 1);
  const [logicalId] = [arn['Fn::GetAtt']].flat()[0]?.split('.') ?? [];
  const queue = declared.queues.find((candidate) => candidate.logicalId === logicalId);
  if (!queue) throw new Error(`infra/*.yml declares no queue ${logicalId}`);
  return queue.name;
}

function scheduleTriggers(functionName: string, event: unknown, retries: number): ScheduleTrigger[] {
  const { rate, enabled, input } = ScheduleEvent.parse(typeof event === 'string' ? { rate: event } : event);
  const triggers = [rate].flat().map((expression) => ({
    functionName,
    expression,
    next: readSchedule(expression),
    runsAtStart: expression.trim().startsWith('rate('),
    ...(input !== undefined && { input }),
    retries,
  }));
  return enabled ? triggers : [];
}
