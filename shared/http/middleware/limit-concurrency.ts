import type { MiddlewareObj } from '@middy/core';
import { fairSemaphore, type Slot } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { Problem } from '../../errors/errors.ts';
import { distributedSemaphore, type LeasedSlot } from '../../store/semaphore/semaphore.ts';
import type { Call } from '../call.ts';
import { type Declaration, isPublic } from '../declaration.ts';
import type { AdmissionLimits, Service } from '../endpoint.ts';
import { workingMs } from '../response/deadline.ts';

// A waiting call gives up this long before its deadline, because the last try takes time too.
const LAST_TRY_MS = 200;
// An application leaves a fifth of the free slots to others.
const SHARE = 4;

const slots = processWide('admission-slots', fairSemaphore);

/**
 * Limits the concurrent calls of the service over all instances, shared fairly by application. Calls of one process
 * wait in memory, and a process that is called all the time asks the store for nothing.
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
    const leftMs = Math.max(0, giveUpAt - performance.now());
    const holder = { name: application, share: SHARE };
    const leased = await semaphore
      .acquire({ limit, queueLimit, waitMs: leftMs, holder })
      .catch((error: unknown) => {
        slot.release();
        throw error;
      });
    if (leased) return { slot, leased };
    slot.release();
    throw new Problem('busy');
  }

  const leave = ({ event: call }: { event: Call }): void => {
    const holder = held.get(call);
    held.delete(call);
    if (!holder) return;
    semaphore.release(holder.leased);
    holder.slot.release();
  };
  return [
    {
      async before({ event: call }) {
        if (isPublic(access)) return;
        const askedAt = performance.now();
        try {
          held.set(call, await enter(call, limits()));
        } finally {
          call.waitedMs += performance.now() - askedAt;
        }
      },
      after: leave,
      onError: leave,
    },
  ];
}
