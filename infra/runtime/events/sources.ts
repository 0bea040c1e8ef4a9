import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import type { Invoke } from '../functions/invoke.ts';
import { realClock } from './clock.ts';
import { type QueueTrigger, startQueueSource } from './queue-source.ts';
import { countRuns } from './recursion.ts';
import { startScheduleSource } from './schedule-source.ts';
import type { Triggers } from './triggers.ts';

type SourcesOptions = {
  sqs: SQSClient;
  invoke: Invoke;
  account: string;
  region: string;
  /** Rates count from this time. */
  anchorMs: number;
  report: (line: string) => void;
};

/**
 * Connects queues and schedules to their functions.
 * @example const sources = await startEventSources(readTriggers(functions, 'local', declared), options)
 */
export async function startEventSources(triggers: Triggers, options: SourcesOptions) {
  const { invoke, report } = options;
  const queues = await Promise.all(triggers.queues.map((trigger) => findQueue(trigger, options)));
  countRuns();
  const sources = [
    ...queues.map(({ trigger, queue }) => startQueueSource(trigger, queue, invoke, report)),
    ...triggers.schedules.map((trigger) =>
      startScheduleSource(trigger, invoke, { ...options, clock: realClock }),
    ),
  ];

  /** Takes no more events and waits for the running ones. */
  const stop = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.stop()));
  };
  return { stop };
}

async function findQueue(trigger: QueueTrigger, { sqs, account, region }: SourcesOptions) {
  const { queueName } = trigger;
  try {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queueName }));
    if (QueueUrl === undefined) throw new Error('SQS names no URL for it');
    return {
      trigger,
      queue: { sqs, queueUrl: QueueUrl, queueArn: `arn:aws:sqs:${region}:${account}:${queueName}` },
    };
  } catch (error) {
    throw new Error(`${trigger.functionName} reads queue ${queueName}: ${reasonOf(error)}`, { cause: error });
  }
}
