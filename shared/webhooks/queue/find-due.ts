import { nowOf, pacingOf } from '../engine.ts';
import { type Due, type DuePage, readDuePage } from './due-page.ts';
import type { Remaining, Turn } from './turn.ts';

// A page of deliveries, read while the one before it is attempted, so that no worker waits for the table. A function
// serves dozens of webhooks at once, so their number and size are bounded.
const MAX_READY = 100;
const READY_BYTES = 1_000_000;
// Deliveries taken and not yet recorded. They must not pile up when recording is slower than sending.
const MAX_BUSY = 300;
// While answers are awaited, new deliveries are looked for at this interval.
const LOOK_EVERY_MS = 500;
// The end of a turn is noticed within this time.
const TICK_MS = 250;

/**
 * Finds the due deliveries of a queue for the workers of a turn, one page ahead of them. A delivery is busy from when it
 * is found until its result is recorded, and is not found again meanwhile.
 * @example for await (const due of finder.deliveries()) await attempt(turn, due);
 */
export function findDue(turn: Turn, stop: AbortSignal) {
  const { engine, queue, stats } = turn;
  const { concurrency } = engine.policy();
  const { failingIntervalMs } = pacingOf(engine);
  const ready: Due[] = [];
  const busy = new Set<string>();
  const progress = notification();
  let pageSize = concurrency;
  let last: (DuePage & { readonly isWhole: boolean; readonly atMs: number }) | undefined;
  let reading: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let startAtMs = 0;
  stop.addEventListener('abort', progress.notify);

  const read = async (): Promise<void> => {
    // A read from the start with nothing busy: if it finds nothing, nothing is due.
    const isWhole = busy.size === 0 && last?.after === undefined;
    const isBusy = (eventId: string): boolean => busy.has(eventId);
    const page = await readDuePage(engine, queue.webhookId, { limit: pageSize, after: last?.after, isBusy });
    for (const { delivery } of page.due) busy.add(delivery.eventId);
    ready.push(...page.due);
    if (page.due.length > 0)
      pageSize = Math.max(concurrency, Math.min(Math.floor(READY_BYTES / averageBytes(page.due)), MAX_READY));
    last = { ...page, isWhole, atMs: nowOf(engine) };
  };
  const startReading = (): void => {
    reading = read()
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        reading = undefined;
        progress.notify();
      });
  };
  const shouldRead = (): boolean => {
    if (reading || ready.length >= pageSize || busy.size >= MAX_BUSY) return false;
    if (!last || last.after || last.due.length > 0 || busy.size === 0) return true;
    return nowOf(engine) - last.atMs >= LOOK_EVERY_MS;
  };
  const isFinished = (): boolean =>
    busy.size === 0 && last?.isWhole === true && last.due.length === 0 && last.after === undefined;

  // The workers of a turn share this generator. Calls of next() are queued, so one at a time is in here.
  async function* deliveries(): AsyncGenerator<Due, void> {
    while (!stop.aborted && !turn.isOver() && !isFinished()) {
      if (failure) throw failure.error;
      if (shouldRead()) startReading();
      const restMs = Math.max(0, startAtMs - nowOf(engine));
      const next = restMs > 0 ? undefined : ready.shift();
      if (next) {
        if (stats.failuresInARow >= concurrency) startAtMs = nowOf(engine) + failingIntervalMs;
        yield next;
      } else await progress.wait(restMs > 0 ? Math.min(restMs, TICK_MS) : TICK_MS);
    }
  }

  return {
    deliveries,
    /** Found, and not yet taken by a worker. */
    ready: ready as readonly Due[],
    /** The delivery is recorded, or was not attempted: it is no longer busy. */
    release(eventId: string): void {
      busy.delete(eventId);
      progress.notify();
    },
    /** The due deliveries that are left at the end of the turn, or the time of the next one. */
    async remaining(): Promise<Remaining> {
      await reading;
      if (failure) throw failure.error;
      if (isFinished()) return { more: false, nextAtMs: last?.nextAtMs };
      if (ready.length > 0) return { more: true };
      const { due, nextAtMs } = await readDuePage(engine, queue.webhookId, { limit: 1 });
      return { more: due.length > 0, nextAtMs };
    },
  };
}

const averageBytes = (due: readonly Due[]): number =>
  due.reduce((sum, { event }) => sum + (event?.body.length ?? 0) + 1, 0) / due.length;

/** Lets one loop wait for a notification, or for some time. A notification while nobody waits is kept. */
function notification() {
  let pending = Promise.withResolvers<void>();
  return {
    notify: (): void => pending.resolve(),
    async wait(maxMs: number): Promise<void> {
      const timer = setTimeout(pending.resolve, maxMs);
      await pending.promise;
      clearTimeout(timer);
      pending = Promise.withResolvers();
    },
  };
}
