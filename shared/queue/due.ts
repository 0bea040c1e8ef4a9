import type { ServiceName } from '../settings/names.ts';
import type { Send } from '../store/due.ts';
import { sendDue } from '../store/due-sweep.ts';
import { dedupeOf } from './later.ts';
import type { Task } from './scheduled.ts';
import { send } from './send.ts';

/**
 * Puts recorded messages on the service's queues.
 * @example await sendNow([message], senderOf('batch'));
 */
export const senderOf =
  (service: ServiceName): Send =>
  (queue, body, { id }) =>
    send(service, queue, body, { dedupe: dedupeOf(queue, id) });

/**
 * The task that sends what was recorded and is due: long delays, and what a change recorded and its writer did
 * not send. On rate(1 minute), so a message is at most about a minute late.
 * @example export const handler = scheduled('batch', 'send-due', sendDueMessages('batch'));
 */
export const sendDueMessages =
  (service: ServiceName) =>
  async ({ logger, now }: Task): Promise<void> => {
    const { sent, failed, more } = await sendDue({ service, send: senderOf(service), now });
    for (const { id, queue, error } of failed) {
      logger.error('A due message was not sent; it is tried again later.', { id, queue, error });
    }
    if (more) logger.warn('More messages are due than one sweep sends.', { sent });
  };
