import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import type { Logger } from '../log/logger.ts';
import type { ServiceName } from '../settings/names.ts';
import { consume } from './consume.ts';
import { sendAll } from './send.ts';

export type Ticker = {
  readonly service: ServiceName;
  readonly queue: string;
  /** From 1 to 60. */
  readonly everySeconds: number;
  readonly now?: () => number;
};

export type Tick = { readonly dueAtMs: number; readonly logger: Logger };

const TickMessage = z.object({ dueAtMs: z.number() });

// Schedules fire once a minute at the fastest. Each firing sends the ticks of its minute, delayed:
//
//   schedule   |0:00                          |1:00
//   queue       0  5  10  15 ... 50  55        0  5  10 ...
//   consumer    *  *  *   *      *   *         *  *  *
/**
 * Sends the ticks of the next minute. For a task on rate(1 minute).
 * @example export const handler = scheduleHandler('batch', 'tick', () => spreadTicks(POLL));
 */
export async function spreadTicks({ service, queue, everySeconds, now = Date.now }: Ticker): Promise<void> {
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > 60) {
    throw new RangeError(`Ticks come every 1 to 60 whole seconds, not every ${everySeconds}.`);
  }
  const startMs = now();
  const delays = Array.from({ length: Math.ceil(60 / everySeconds) }, (_, i) => i * everySeconds);
  await sendAll(
    service,
    queue,
    delays.map((delaySeconds) => ({ body: { dueAtMs: startMs + delaySeconds * 1_000 }, delaySeconds })),
  );
}

/**
 * The function of a tick queue. A tick says "look now" and carries no work. So a tick older than an interval is
 * dropped: a younger one follows, and an outage leaves no backlog. A second copy finds nothing to do. A failed tick is
 * not delivered again: the next one looks too. Ticks can overlap, so work must be claimed in the store first.
 * @example export const handler = tickHandler(POLL, async ({ logger }) => pollSigners(logger));
 */
export function tickHandler(
  { service, queue, everySeconds, now = Date.now }: Ticker,
  look: (tick: Tick) => Promise<void>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return consume(
    { service, queue, message: TickMessage, maxReceives: 1 },
    async ({ dueAtMs }, { logger }) => {
      const lateMs = now() - dueAtMs;
      if (lateMs > everySeconds * 1_000) {
        logger.debug('A tick was late and is dropped.', { lateMs });
        return;
      }
      try {
        await look({ dueAtMs, logger });
      } catch (error) {
        logger.error('A tick failed; the next one looks again.', { error });
      }
    },
  );
}
