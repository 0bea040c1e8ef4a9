import { consume } from '../../../shared/queue/consume.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/wake-up.ts';
import { webhooks } from '../webhooks/domain/engine.ts';

/** Delivers to slow receivers, in their own queue, so that they take no capacity from fast ones. */
export const handler = consume(
  {
    service: 'credentials',
    queue: queueOf(webhooks, 'slow'),
    message: DeliveryMessage,
    maxReceives: 20,
    concurrency: 50,
  },
  (message, { logger }) => runMessage(webhooks, 'slow', message, logger),
);
