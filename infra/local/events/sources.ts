import { GetQueueUrlCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { realClock } from './clock.ts';
import type { Invoke } from './invoke.ts';
import { type QueueTrigger, startQueueSource } from './queue-source.ts';
import { startScheduleSource } from './schedule-source.ts';
import type { Triggers } from './triggers.ts';

type Settings = {
  sqs: SQSClient;
  invoke: Invoke;
  account: string;
  region: string;
  /** From when rates count. */
  anchorMs: number;
  report: (line: string) => void;
};

/**
 * Connects queues and schedules to their functions.
 * @example const sources = await startEventSources(readTriggers(functions, 'local', declared), settings)
 */
export async function startEventSources(triggers: Triggers, settings: Settings) {
  const { invoke, report } = settings;
  const places = await Promise.all(triggers.queues.map((trigger) => placeOf(trigger, settings)));
  const sources = [
    ...places.map(({ trigger, place }) => startQueueSource(trigger, place, invoke, report)),
    ...triggers.schedules.map((trigger) =>
      startScheduleSource(trigger, invoke, { ...settings, clock: realClock }),
    ),
  ];

  /** Takes no more events and waits for those in work. */
  const stop = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.stop()));
  };
  return { stop };
}

async function placeOf(trigger: QueueTrigger, { sqs, account, region }: Settings) {
  const { queueName } = trigger;
  try {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queueName }));
    if (QueueUrl === undefined) throw new Error('SQS names no URL for it');
    return {
      trigger,
      place: { sqs, queueUrl: QueueUrl, queueArn: `arn:aws:sqs:${region}:${account}:${queueName}` },
    };
  } catch (error) {
    throw new Error(`${trigger.functionName} reads queue ${queueName}: ${reasonOf(error)}`, { cause: error });
  }
}
