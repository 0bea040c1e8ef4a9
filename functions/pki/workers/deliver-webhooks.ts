import { consume } from '../../../shared/queue/consume.ts';
import { DeliveryMessage } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { callouts, WEBHOOKS_QUEUE } from '../callouts/domain/engine.ts';

// All messages of a batch run at once: an attempt mostly waits for its receiver.
export const handler = consume(
  { service: 'pki', queue: WEBHOOKS_QUEUE, message: DeliveryMessage, maxReceives: 20, concurrency: 10 },
  (message, incoming) => runMessage(callouts, 'quick', message, incoming),
);
