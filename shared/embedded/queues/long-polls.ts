import type { Database, Row } from '../database.ts';
import { StoreError } from '../errors.ts';

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
  /** When a queue has its next message to take. Throws when there is no such queue. */
  readonly nextDueMs: (queue: string) => number;
  /** The same of every queue in one look, where a message that has expired counts too. */
  readonly earliestDueMs: () => ReadonlyMap<string, number>;
};

export const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('Request aborted', { cause: reason }), { name: 'AbortError' });

/**
 * The receives that wait for a message. Those of a queue are served in their order.
 *
 *   this process   receive waits |......| takes in the commit of the send, and is answered after it
 *                                  send |
 *   other process  receive waits |.........| at its next tick: data_version has changed, looks, takes in a commit
 */
export function createLongPolls(database: Database, { now, nextDueMs, earliestDueMs }: Options) {
  const waiting = new Map<string, Set<Waiter>>();
  /** When a queue in which somebody waits has its next message. Without an entry it must be looked at. */
  const dueMs = new Map<string, number>();
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let version: unknown;

  /** False when it no longer waits. */
  const remove = (waiter: Waiter): boolean => {
    const waiters = waiting.get(waiter.queue);
    if (!waiters?.delete(waiter)) return false;
    if (waiters.size === 0) waiting.delete(waiter.queue);
    if (waiting.size > 0) return true;
    clearInterval(timer);
    timer = undefined;
    dueMs.clear();
    return true;
  };
  const removeAll = (queue: string): Waiter[] => [...(waiting.get(queue) ?? [])].filter(remove);
  const rejectAll = (queue: string, error: unknown): void => {
    for (const waiter of removeAll(queue)) waiter.reject(error);
  };

  function takeForAll(queue: string, served: Map<Waiter, Row[]>): void {
    dueMs.delete(queue);
    for (const waiter of [...(waiting.get(queue) ?? [])]) {
      const rows = waiter.take();
      if (rows.length === 0) return;
      remove(waiter);
      served.set(waiter, rows);
    }
  }

  function touch(queue: string): void {
    if (!waiting.has(queue)) return;
    const isFirst = touched.size === 0;
    touched.add(queue);
    if (isFirst) serveTouched();
  }

  function serveTouched(): void {
    const served = new Map<Waiter, Row[]>();
    let queues = touched;
    database
      .commit(() => {
        queues = new Set(touched);
        touched.clear();
        for (const queue of queues) {
          try {
            takeForAll(queue, served);
          } catch (error) {
            if (!(error instanceof StoreError)) throw error;
            rejectAll(queue, error);
          }
        }
      })
      .then(
        () => {
          for (const [waiter, rows] of served) waiter.resolve(rows);
        },
        (error: unknown) => {
          for (const waiter of served.keys()) waiter.reject(error);
          for (const queue of [...queues]) rejectAll(queue, error);
          touched.clear();
        },
      );
  }

  function lookAt(queue: string): void {
    const next = dueMs.get(queue) ?? nextDueMs(queue);
    dueMs.set(queue, next);
    if (next <= now()) touch(queue);
    else
      for (const waiter of [...(waiting.get(queue) ?? [])])
        if (waiter.untilMs <= now() && remove(waiter)) waiter.resolve([]);
  }

  function tick(): void {
    const queues = [...waiting.keys()];
    try {
      forgetIfOthersCommitted();
      if (!queues.every((queue) => dueMs.has(queue))) lookAtAll();
    } catch (error) {
      for (const queue of queues) rejectAll(queue, error);
      return;
    }
    for (const queue of queues) {
      try {
        lookAt(queue);
      } catch (error) {
        rejectAll(queue, error);
      }
    }
  }

  /** Most queues have nothing: while others write, each of them would be two questions every time. */
  function lookAtAll(): void {
    for (const [queue, earliest] of earliestDueMs())
      if (earliest > now() && waiting.has(queue) && !dueMs.has(queue)) dueMs.set(queue, earliest);
  }

  function forgetIfOthersCommitted(): void {
    const before = version;
    version = database.get('PRAGMA data_version')?.data_version;
    if (version !== before) dueMs.clear();
  }

  return {
    /** A queue has changed. Called in the commit that changes it, it has the queue's polls served by the same commit. */
    touch,

    touchAll(): void {
      for (const queue of waiting.keys()) touch(queue);
    },

    wait: (poll: LongPoll): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        const { queue, signal } = poll;
        if (signal?.aborted) return reject(abortError(signal));
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
        const abort = (): void => {
          if (signal && remove(waiter)) waiter.reject(abortError(signal));
        };
        signal?.addEventListener('abort', abort);
        waiting.set(queue, (waiting.get(queue) ?? new Set()).add(waiter));
        // Whatever came since the poll has looked is found at the next tick.
        dueMs.delete(queue);
        timer ??= setInterval(tick, LOOK_EVERY_MS);
      }),

    /** Answers every poll: there is nothing. */
    close(): void {
      for (const queue of [...waiting.keys()]) for (const waiter of removeAll(queue)) waiter.resolve([]);
    },
  };
}
