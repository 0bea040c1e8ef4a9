import { consume } from '../../../shared/queue/consume.ts';
import { LaneMessage, queueOf } from '../../../shared/webhooks/lane-message.ts';
import { runMessage } from '../../../shared/webhooks/run-message.ts';
import { webhooks } from '../domain/document/webhook-engine.ts';

/** Delivers to slow receivers, in their own queue, so that they take no capacity from fast ones. */
export const handler = consume(
  {
    service: 'documents',
    queue: queueOf(webhooks, 'slow'),
    message: LaneMessage,
    maxReceives: 20,
    atOnce: 50,
  },
  (message, { logger }) => runMessage(webhooks, 'slow', message, logger),
);
