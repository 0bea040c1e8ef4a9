import { consume } from '../../../shared/queue/consume.ts';
import { LaneMessage } from '../../../shared/webhooks/lane-message.ts';
import { runMessage } from '../../../shared/webhooks/run-message.ts';
import { WEBHOOKS_QUEUE, webhooks } from '../domain/document/webhook-engine.ts';

// A message only wakes a webhook: its deliveries are in the table. So all messages of a batch run at once.
export const handler = consume(
  { service: 'documents', queue: WEBHOOKS_QUEUE, message: LaneMessage, maxReceives: 20, atOnce: 10 },
  (message, { logger }) => runMessage(webhooks, 'quick', message, logger),
);
