import { consume } from '../../../shared/queue/consume.ts';
import { DeliveryMessage } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { WEBHOOKS_QUEUE, webhooks } from '../webhooks/domain/engine.ts';

// All messages of a batch run at once: an attempt mostly waits for its receiver.
export const handler = consume(
  {
    service: 'credentials',
    queue: WEBHOOKS_QUEUE,
    message: DeliveryMessage,
    maxReceives: 20,
    concurrency: 10,
  },
  (message, incoming) => runMessage(webhooks, 'quick', message, incoming),
);
