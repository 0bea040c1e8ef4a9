import { type Due, findDue, type Look } from './due-page.ts';
import type { Turn } from './turn.ts';

// Found ahead of need, so that no slot waits for the table, and no more than memory should hold: a function serves
// dozens of webhooks at once.
const MAX_FOUND = 100;
const FOUND_BYTES = 1_000_000;
// Taken and not yet recorded. What is recorded slower than it is sent must not pile up.
const MAX_BUSY = 300;
// While answers are awaited, new deliveries are looked for so often.
const LOOK_EVERY_MS = 500;

/**
 * The due deliveries of a lane, found a page ahead of those that attempts take. A delivery is busy from when it is
 * found until it is recorded, and is not found again meanwhile.
 */
export function foundAhead({ engine, lane }: Turn) {
  const ready: Due[] = [];
  const busy = new Set<string>();
  const { concurrency } = engine.policy();
  let limit = concurrency;
  let isLooking = false;
  let last: (Look & { readonly at: number; readonly isWhole: boolean }) | undefined;

  return {
    take: (): Due | undefined => ready.shift(),
    done: (eventId: string): boolean => busy.delete(eventId),
    isLooking: (): boolean => isLooking,
    /** Some are found that no attempt has taken. */
    isLeft: (): boolean => ready.length > 0,
    /** Of those found, all that were taken are recorded. */
    isRecorded: (): boolean => busy.size === ready.length,

    wantsLook(): boolean {
      if (isLooking || ready.length > limit / 2 || busy.size >= MAX_BUSY) return false;
      if (!last || last.after || last.due.length > 0 || busy.size === 0) return true;
      return performance.now() - last.at >= LOOK_EVERY_MS;
    },

    async look(): Promise<void> {
      isLooking = true;
      // From the beginning with nothing in work: if it finds nothing, there is nothing.
      const isWhole = busy.size === 0 && last?.after === undefined;
      const asked = { limit, after: last?.after, isBusy: (eventId: string) => busy.has(eventId) };
      const found = await findDue(engine, lane.webhookId, asked);
      for (const { delivery } of found.due) busy.add(delivery.eventId);
      ready.push(...found.due);
      if (found.due.length > 0) limit = within(concurrency, FOUND_BYTES / averageBytes(found.due), MAX_FOUND);
      last = { ...found, at: performance.now(), isWhole };
      isLooking = false;
    },

    /** When nothing is due, and nothing in work: with the time of what comes due next. */
    end(): { readonly nextAtMs: number | undefined } | undefined {
      if (isLooking || busy.size > 0 || !last?.isWhole || last.due.length > 0 || last.after) return undefined;
      return { nextAtMs: last.nextAtMs };
    },
  };
}

const within = (least: number, wanted: number, most: number): number =>
  Math.max(least, Math.min(Math.floor(wanted), most));

const averageBytes = (due: readonly Due[]): number =>
  due.reduce((sum, { event }) => sum + (event?.body.length ?? 0) + 1, 0) / due.length;
