import { consume } from '../../../shared/queue/consume.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { DeliveryMessage } from '../../../shared/webhooks/wake-up.ts';
import { WEBHOOKS_QUEUE, webhooks } from '../webhooks/domain/engine.ts';

// A message only wakes a webhook: its deliveries are in the table. So all messages of a batch run at once.
export const handler = consume(
  {
    service: 'credentials',
    queue: WEBHOOKS_QUEUE,
    message: DeliveryMessage,
    maxReceives: 20,
    concurrency: 10,
  },
  (message, { logger }) => runMessage(webhooks, 'quick', message, logger),
);
