import type { Logger } from '../../log/logger.ts';
import { collection } from '../../store/collection.ts';
import { deliveryPk } from '../deliveries/delivery.ts';
import { nowOf, pacingOf, type WebhookEngine } from '../engine.ts';

/** A webhook whose receiver is slow: until this time its messages go to the slow queue. */
export type SlowMark = { readonly webhookId: string; readonly untilMs: number };

export const slowMarksOf = ({ service }: WebhookEngine) =>
  collection<SlowMark, string>({
    service,
    name: 'mark of a slow webhook',
    id: ({ webhookId }) => webhookId,
    key: (webhookId) => ({ pk: deliveryPk(webhookId), sk: 'SLOW' }),
    indexed: ({ untilMs }) => ({ ttl: Math.ceil(untilMs / 1000) }),
  });

/**
 * Does the work of an attempt, and marks its webhook as a slow one as soon as the work takes too long: the messages that
 * come meanwhile go elsewhere already. A mark that lasts is not written again.
 */
export async function markIfSlow<T>(
  engine: WebhookEngine,
  webhookId: string,
  { known, log }: { readonly known: SlowMark | undefined; readonly log: Logger },
  work: () => Promise<T>,
): Promise<T> {
  const { slowAfterMs, slowForMs } = pacingOf(engine);
  let marking: Promise<unknown> | undefined;
  const mark = (): void => {
    const nowMs = nowOf(engine);
    if (known && known.untilMs > nowMs + slowForMs / 2) return;
    marking = slowMarksOf(engine)
      .put({ webhookId, untilMs: nowMs + slowForMs })
      .catch((error: unknown) => log.warn('A slow webhook could not be marked.', { webhookId, error }));
  };
  const timer = setTimeout(mark, slowAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    await marking;
  }
}
