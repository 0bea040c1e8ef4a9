import type { MiddlewareObj } from '@middy/core';
import { fairSemaphore, type Slot } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { Problem } from '../../errors/errors.ts';
import { distributedSemaphore, type LeasedSlot } from '../../store/semaphore/semaphore.ts';
import type { Call } from '../call.ts';
import { inTime, workingMs } from '../deadline.ts';
import type { Declaration } from '../declaration.ts';
import type { AdmissionLimits, Service } from '../endpoint.ts';

// A slot outlasts the function that holds it, by the possible difference of clocks.
const LEASE_MARGIN_MS = 5_000;
// For a host without a time limit.
const MAX_CALL_MS = 900_000;
// A waiting call gives up this long before its deadline, because the last try takes time too.
const LAST_TRY_MS = 200;
// Reserved for the answer after the slot is released, even if the store does not respond.
const ANSWER_MS = 100;
// An application leaves a fifth of the free slots to others.
const SHARE = 4;

const slots = processWide('admission-slots', fairSemaphore);

/**
 * Limits the concurrent calls of the service over all instances, shared fairly by application. Calls of one process
 * wait in memory, and only the first of them asks the store.
 */
export function limitConcurrency(service: Service, { access = 'key' }: Declaration): MiddlewareObj<Call>[] {
  const limits = service.admission;
  if (!limits || access === 'public') return [];
  const semaphore = distributedSemaphore({ service: service.name, name: 'calls' });
  const held = new WeakMap<Call, { readonly slot: Slot; readonly leased: LeasedSlot }>();

  async function enter(call: Call, { limit, queueLimit, waitMs }: AdmissionLimits) {
    const maxWaitMs = Math.min(waitMs, Math.max(0, workingMs(call) - LAST_TRY_MS));
    const giveUpAt = performance.now() + maxWaitMs;
    const application = call.caller?.application ?? '';
    const slot = await slots.acquire(
      application,
      { slots: limit, maxWaiting: queueLimit, share: SHARE },
      { maxWaitMs, signal: call.hangUp },
    );
    if (!slot) throw new Problem('busy');
    const leaseMs = Math.min(call.remainingMs(), MAX_CALL_MS) + LEASE_MARGIN_MS;
    const leftMs = Math.max(0, giveUpAt - performance.now());
    const holder = { name: application, share: SHARE };
    const leased = await semaphore
      .acquire({ limit, queueLimit, leaseMs, waitMs: leftMs, holder })
      .catch((error: unknown) => {
        slot.release();
        throw error;
      });
    if (leased) return { slot, leased };
    slot.release();
    throw new Problem('busy');
  }

  const leave = async ({ event: call }: { event: Call }) => {
    const holder = held.get(call);
    held.delete(call);
    holder?.slot.release();
    const withinMs = Math.max(0, call.remainingMs() - ANSWER_MS);
    if (holder) await inTime(withinMs, () => semaphore.release(holder.leased)).catch(() => undefined);
  };
  return [
    {
      async before({ event: call }) {
        held.set(call, await enter(call, limits()));
      },
      after: leave,
      onError: leave,
    },
  ];
}
