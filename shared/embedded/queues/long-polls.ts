import type { Database, Row } from '../database.ts';

// How soon a poll hears of another process's send, of a delay or a visibility timeout that ends, and of its own end.
const LOOK_EVERY_MS = 50;

export type LongPoll = {
  readonly queue: string;
  readonly untilMs: number;
  readonly signal: AbortSignal | undefined;
  /** Takes messages, in a commit. */
  readonly take: () => Row[];
};

type Waiter = LongPoll & {
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
};

type Options = {
  readonly now: () => number;
  /** Whether a queue has a message to take, and when it has the next one. Throws when there is no such queue. */
  readonly look: (queue: string) => { readonly isReady: boolean; readonly dueMs: number };
};

export const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('Request aborted', { cause: reason }), { name: 'AbortError' });

/**
 * The receives that wait for a message. Those of a queue are served in their order, all by one commit.
 *
 *   this process   receive waits |............ touch: look, take, answer --|
 *                                  send: commit --|
 *   other process  receive waits |........................ tick: data_version changed: look, take, answer --|
 */
export function createLongPolls(database: Database, { now, look }: Options) {
  const waiting = new Map<string, Set<Waiter>>();
  /** When a queue in which somebody waits has its next message. Without an entry it must be looked at. */
  const dueMs = new Map<string, number>();
  const serving = new Set<string>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let version: unknown;

  // Counts the commits of others.
  const dataVersion = (): unknown => database.get('PRAGMA data_version')?.data_version;

  const settle = (waiter: Waiter, answer: () => void): void => {
    const waiters = waiting.get(waiter.queue);
    if (!waiters?.delete(waiter)) return;
    if (waiters.size === 0) waiting.delete(waiter.queue);
    if (waiting.size === 0) stop();
    answer();
  };
  const rejectAll = (queue: string, error: unknown): void => {
    for (const waiter of [...(waiting.get(queue) ?? [])]) settle(waiter, () => waiter.reject(error));
  };

  const takeForAll = (queue: string): Map<Waiter, Row[]> => {
    const served = new Map<Waiter, Row[]>();
    for (const waiter of waiting.get(queue) ?? []) {
      const rows = waiter.take();
      if (rows.length === 0) break;
      served.set(waiter, rows);
    }
    return served;
  };

  /** Serves the polls of a queue if it has messages. False when it has none. */
  const serve = (queue: string): boolean => {
    if (serving.has(queue)) return true;
    try {
      const next = look(queue);
      dueMs.set(queue, next.dueMs);
      if (!next.isReady) return false;
    } catch (error) {
      rejectAll(queue, error);
      return true;
    }
    serving.add(queue);
    database
      .commit(() => takeForAll(queue))
      .then(
        (served) => {
          for (const [waiter, rows] of served) settle(waiter, () => waiter.resolve(rows));
        },
        (error: unknown) => rejectAll(queue, error),
      )
      .finally(() => {
        serving.delete(queue);
        // What was sent meanwhile is for those who still wait.
        touch(queue);
      });
    return true;
  };

  const tick = (): void => {
    const before = version;
    try {
      version = dataVersion();
    } catch (error) {
      for (const queue of [...waiting.keys()]) rejectAll(queue, error);
    }
    for (const [queue, waiters] of [...waiting]) {
      const mustLook = version !== before || (dueMs.get(queue) ?? 0) <= now();
      if (mustLook && serve(queue)) continue;
      for (const waiter of [...waiters])
        if (waiter.untilMs <= now()) settle(waiter, () => waiter.resolve([]));
    }
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    dueMs.clear();
  };

  function touch(queue: string): void {
    if (!waiting.has(queue)) return;
    if (touched.size === 0)
      // After the commit that is running now.
      queueMicrotask(() => {
        const queues = [...touched];
        touched.clear();
        for (const each of queues) if (waiting.has(each)) serve(each);
      });
    touched.add(queue);
  }

  return {
    /** Serves a queue's polls after the commit that changed the queue. */
    touch,

    touchAll(): void {
      for (const queue of waiting.keys()) touch(queue);
    },

    wait: (poll: LongPoll): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        const { queue, signal } = poll;
        if (signal?.aborted) return reject(abortError(signal));
        const abort = (): void => settle(waiter, () => signal && waiter.reject(abortError(signal)));
        const end = (): void => signal?.removeEventListener('abort', abort);
        const waiter: Waiter = {
          ...poll,
          resolve: (rows) => {
            end();
            resolve(rows);
          },
          reject: (error) => {
            end();
            reject(error);
          },
        };
        signal?.addEventListener('abort', abort);
        const waiters = waiting.get(queue) ?? new Set();
        waiting.set(queue, waiters.add(waiter));
        // Whatever came since the poll has looked is found at the next tick.
        dueMs.delete(queue);
        timer ??= setInterval(tick, LOOK_EVERY_MS);
      }),

    /** Answers every poll: there is nothing. */
    close(): void {
      for (const waiters of [...waiting.values()])
        for (const waiter of [...waiters]) settle(waiter, () => waiter.resolve([]));
    },
  };
}
