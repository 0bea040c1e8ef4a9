import * as z from 'zod';
import { send, sendAll } from '../../../../shared/queue/send.ts';
import { hasExternalService } from '../../config/external-service.ts';
import { settings } from '../../settings.ts';

/** Messages that say when to look at the external service. They carry no work: it waits in the store and there. */
export const SIGNER_QUEUE = 'signer';

export const SignerMessage = z.object({
  look: z.enum(['poll', 'sweep', 'checks']),
  /** When the schedule wanted it. Without it, somebody wants it now. */
  dueAtMs: z.number().optional(),
});
export type SignerMessage = z.infer<typeof SignerMessage>;

const MINUTE_MS = 60_000;

const INTERVALS = {
  poll: () => settings['Signer:PollIntervalSeconds'] * 1_000,
  sweep: () => settings['Signer:FolderSweepSeconds'] * 1_000,
} as const;

// A process that starts with another interval finds looks of the old one on the queue:
//
//   every 5 s    |-- 0:00  0:05  0:10 -- stopped     0:15  0:20  0:25  0:30
//   every 20 s                           |-- starts        0:20              0:40
//
// Looks come at the multiples of their interval, so those of another one are told by their time.

/**
 * Whether a look is not to be made any more. A younger one follows one that is late, so an outage leaves no backlog; one
 * of an earlier interval is not of this schedule.
 */
export function isOutdated({ look, dueAtMs }: SignerMessage, nowMs: number): boolean {
  if (look === 'checks' || dueAtMs === undefined) return false;
  const everyMs = INTERVALS[look]();
  return nowMs - dueAtMs > everyMs || dueAtMs % everyMs !== 0;
}

/**
 * Sends the looks of the next minute. They come at the multiples of their intervals, so that one over a minute needs no
 * record of the last look. Jobs that wait are polled without a service too: they fail, and do not wait for ever.
 */
export async function scheduleLooks(nowMs: number): Promise<void> {
  const due = hasExternalService() ? (['poll', 'sweep'] as const) : (['poll'] as const);
  const looks = due.flatMap((look) => {
    const everyMs = INTERVALS[look]();
    const first = Math.ceil(nowMs / everyMs) * everyMs;
    const times: number[] = [];
    for (let ms = first; ms < nowMs + MINUTE_MS; ms += everyMs) times.push(ms);
    return times.map((dueAtMs) => ({
      body: { look, dueAtMs } satisfies SignerMessage,
      delaySeconds: Math.ceil((dueAtMs - nowMs) / 1_000),
    }));
  });
  await sendAll('batch', SIGNER_QUEUE, looks);
}

/** Has the waiting checks made now. A lost message only means that the next sweep makes them. */
export const wakeChecks = (): Promise<void> =>
  send('batch', SIGNER_QUEUE, { look: 'checks' } satisfies SignerMessage).catch(() => undefined);
