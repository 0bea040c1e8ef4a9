import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { createGuardedFetch } from '../../net/guarded.ts';
import type { GuardedFetch } from '../../net/request.ts';
import { type Pace, pacingOf, type WebhookEngine } from '../engine.ts';

// Attempts under way at once in one process: each has a connection, and an event of up to 380 kB.
const SLOTS = 200;

// Slow webhooks have slots of their own, so that they take none from quick ones.
const slots = { quick: fairSemaphore(), slow: fairSemaphore() } as const;

type Connections = ReturnType<NonNullable<WebhookEngine['connect']>>;
const open = new Map<string, { readonly call: Connections; users: number }>();

/**
 * Does work with one of the slots of a webhook, and with its connections. 'busy' when no slot becomes free in time.
 * @example const result = await withSlot(engine, 'quick', webhookId, (call) => attempt({ engine, call, log }, due));
 */
export const withSlot = <T>(
  engine: WebhookEngine,
  pace: Pace,
  webhookId: string,
  work: (call: GuardedFetch) => Promise<T>,
): Promise<T | 'busy'> => {
  const key = `${engine.service} ${webhookId}`;
  // The batches of the queues bound how many wait.
  const limits = { slots: SLOTS, slotsPerKey: engine.policy().concurrency, maxWaiting: Infinity };
  return withConnections(engine, key, async (call) => {
    const slot = await slots[pace].acquire(key, limits, { maxWaitMs: pacingOf(engine).patienceMs[pace] });
    if (!slot) return 'busy';
    try {
      return await work(call);
    } finally {
      slot.release();
    }
  });
};

/**
 * Each webhook has its own connections, so that calls of different webhooks to one host do not wait for each other. They
 * are closed when nobody uses them: a function that is frozen would find them broken.
 */
async function withConnections<T>(
  { connect = createGuardedFetch }: WebhookEngine,
  key: string,
  work: (call: GuardedFetch) => Promise<T>,
): Promise<T> {
  const shared = open.get(key) ?? { call: connect(), users: 0 };
  open.set(key, shared);
  shared.users += 1;
  try {
    return await work(shared.call);
  } finally {
    shared.users -= 1;
    if (shared.users === 0) {
      open.delete(key);
      await shared.call.close();
    }
  }
}
