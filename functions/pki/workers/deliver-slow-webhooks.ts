import { consume } from '../../../shared/queue/consume.ts';
import { DeliveryMessage, queueOf } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';
import { callouts } from '../callouts/domain/engine.ts';

/** Delivers to slow receivers, in their own queue, so that they take no capacity from fast ones. */
export const handler = consume(
  {
    service: 'pki',
    queue: queueOf(callouts, 'slow'),
    message: DeliveryMessage,
    maxReceives: 20,
    concurrency: 50,
  },
  (message, incoming) => runMessage(callouts, 'slow', message, incoming),
);
