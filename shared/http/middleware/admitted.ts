import type { MiddlewareObj } from '@middy/core';
import { fairSemaphore, type Slot } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { Problem } from '../../errors/errors.ts';
import { distributedSemaphore, type LeasedSlot } from '../../store/semaphore/semaphore.ts';
import type { Call } from '../call.ts';
import { inTime, workingMs } from '../deadline.ts';
import type { Declaration } from '../declaration.ts';
import type { AdmissionLimits, Service } from '../service.ts';

// A place must outlast the function that holds it: its clock and the store's may differ by this much.
const LEASE_MARGIN_MS = 5_000;
// For a host that sets no end.
const MAX_CALL_MS = 900_000;
// Who waits for a place gives up this long before its own end: the last try takes its time too.
const LAST_TRY_MS = 200;
// What the answer needs after the place was given back. A store that does not answer costs no more than the rest.
const ANSWER_MS = 100;
// An application leaves a fifth of the slots that it finds free to others.
const SHARE = 4;

const slots = processWide('admission-slots', fairSemaphore);

/**
 * Lets in as many calls at once as the service accepts, across all its instances, shared fairly by application. Those
 * of one process wait in it, and only the next of them asks the store.
 */
export function admitted(service: Service, { access = 'key' }: Declaration): MiddlewareObj<Call>[] {
  const limits = service.admission;
  if (!limits || access === 'public') return [];
  const gate = distributedSemaphore({ service: service.name, name: 'calls' });
  const inside = new WeakMap<Call, { readonly slot: Slot; readonly ticket: LeasedSlot }>();

  async function enter(call: Call, { limit, queueLimit, waitMs }: AdmissionLimits) {
    const patienceMs = Math.min(waitMs, Math.max(0, workingMs(call) - LAST_TRY_MS));
    const giveUpAt = performance.now() + patienceMs;
    const application = call.caller?.application ?? '';
    const slot = await slots.acquire(
      application,
      { slots: limit, maxWaiting: queueLimit, share: SHARE },
      { maxWaitMs: patienceMs, signal: call.hangUp },
    );
    if (!slot) throw new Problem('busy');
    const leaseMs = Math.min(call.remainingMs(), MAX_CALL_MS) + LEASE_MARGIN_MS;
    const leftMs = Math.max(0, giveUpAt - performance.now());
    const holder = { name: application, share: SHARE };
    const ticket = await gate
      .acquire({ limit, queueLimit, leaseMs, waitMs: leftMs, holder })
      .catch((error: unknown) => {
        slot.release();
        throw error;
      });
    if (ticket) return { slot, ticket };
    slot.release();
    throw new Problem('busy');
  }

  const leave = async ({ event: call }: { event: Call }) => {
    const place = inside.get(call);
    inside.delete(call);
    place?.slot.release();
    const withinMs = Math.max(0, call.remainingMs() - ANSWER_MS);
    if (place) await inTime(withinMs, () => gate.release(place.ticket)).catch(() => undefined);
  };
  return [
    {
      async before({ event: call }) {
        inside.set(call, await enter(call, limits()));
      },
      after: leave,
      onError: leave,
    },
  ];
}
