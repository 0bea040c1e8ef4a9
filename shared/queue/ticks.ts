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
 * @example export const handler = scheduled('batch', 'tick', () => spreadTicks(POLL));
 */
export async function spreadTicks({ service, queue, everySeconds, now = Date.now }: Ticker): Promise<void> {
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > 60) {
    throw new RangeError(`Ticks come every 1 to 60 whole seconds; ${everySeconds} is not that.`);
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
 * The function on a tick queue. A tick says "look now" and carries no work, which has three consequences:
 * one older than an interval is dropped, since a younger one is there or on its way, so that an outage piles
 * nothing up; a second copy looks twice and finds nothing the second time; and one that fails is not
 * delivered again, since the next one looks too. What is found must be claimed in the store before it is
 * worked on, because ticks can overlap.
 * @example export const handler = onTick(POLL, async ({ logger }) => pollSigners(logger));
 */
export function onTick(
  { service, queue, everySeconds, now = Date.now }: Ticker,
  look: (tick: Tick) => Promise<void>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return consume(
    { service, queue, message: TickMessage, maxReceives: 1 },
    async ({ dueAtMs }, { logger }) => {
      const lateMs = now() - dueAtMs;
      if (lateMs > everySeconds * 1_000) {
        logger.debug('A tick came too late and is dropped.', { lateMs });
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
