import { consume } from '../../../shared/queue/consume.ts';
import { runMessage } from '../../../shared/webhooks/queue/run-message.ts';
import { LaneMessage, queueOf } from '../../../shared/webhooks/wake-up.ts';
import { webhooks } from '../domain/document/webhook-engine.ts';

/** Receivers that make us wait, so that they take no place from those that do not. */
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
