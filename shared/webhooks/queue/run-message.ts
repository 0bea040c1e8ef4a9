import type { Logger } from '../../log/logger.ts';
import { continueReplay } from '../deliveries/replay.ts';
import type { Pace, WebhookEngine } from '../engine.ts';
import type { DeliveryMessage } from '../wake-up.ts';
import { runQueue } from './run.ts';

/**
 * The work that a message of the engine's queues asks for. Webhooks named together are served at once.
 * @example export const handler = consume({ service, queue, message: LaneMessage, maxReceives }, (message, { logger }) =>
 *            runMessage(webhooks, 'quick', message, logger));
 */
export async function runMessage(
  engine: WebhookEngine,
  pace: Pace,
  message: DeliveryMessage,
  log: Logger,
): Promise<void> {
  if ('replay' in message) return continueReplay(engine, message);
  const { owner, webhookIds, look } = message;
  const runs = webhookIds.map((webhookId) => runQueue(engine, { owner, webhookId }, look, pace, log));
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
  if (failed) throw failed.reason;
}
