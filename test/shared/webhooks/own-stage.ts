import { randomUUID } from 'node:crypto';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, vi } from 'vitest';
import { sqs } from '../../../shared/queue/client.ts';
import { sendDueMessages } from '../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { queueName } from '../../../shared/settings/names.ts';
import { queueOf } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { useOwnTable } from '../queue/own-table.ts';

/** A stage of a test file's own: its sweeps meet nobody else's messages. */
export function onOwnStage(): void {
  beforeAll(() => useOwnTable('documents'));
  afterAll(() => {
    vi.unstubAllEnvs();
  });
}

/** The two queues of one test. A poll that an earlier test gave up would still take a message of its queue. */
export async function ownQueues(): Promise<string> {
  const queue = `test-${randomUUID().slice(0, 8)}`;
  for (const pace of ['quick', 'slow'] as const) {
    const QueueName = queueName('documents', queueOf({ queue }, pace));
    await sqs().send(new CreateQueueCommand({ QueueName }));
  }
  return queue;
}

export const sweepAt = (nowMs: number) =>
  scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => nowMs)();
