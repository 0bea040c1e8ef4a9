import { consume } from '../../../shared/queue/consume.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { DeliveryMessage } from '../../../shared/webhooks/wake-up.ts';
import { WEBHOOKS_QUEUE, webhooks } from '../domain/document/webhook-engine.ts';

// Messages only wake: what is to be delivered is in the table. So all of a batch are served at once.
export const handler = consume(
  { service: 'documents', queue: WEBHOOKS_QUEUE, message: DeliveryMessage, maxReceives: 20, concurrency: 10 },
  (message, { logger }) => runMessage(webhooks, 'quick', message, logger),
);
