import type { MiddlewareObj } from '@middy/core';
import { fairProcessor } from '../../async/contention.ts';
import { fairSemaphore } from '../../async/fair-semaphore.ts';
import { processWide } from '../../async/process-wide.ts';
import { Problem } from '../../errors/errors.ts';
import { hitInBlocks } from '../../store/rate-window.ts';
import type { Call } from '../call.ts';
import { type Declaration, isPublic } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { clientNetwork } from '../request/client-network.ts';
import { shareOf } from '../request/share.ts';
import { workingMs } from '../response/deadline.ts';
import { refuseOverLimit } from './limit-rate.ts';

const WINDOW_SECONDS = 60;
// A slot is free again after about one call.
const RETRY_SOON = { headers: { 'retry-after': '1' } };

const slots = processWide('application-slots', fairSemaphore);
const contention = processWide('contention', fairProcessor);

/**
 * Limits the rate and the concurrency of each application, so that a flood of one delays no other. The rate acts
 * everywhere. The slots act in the host and in the local engine: a function of Lambda runs one call at a time.
 */
export function limitApplication(service: Service, { access = 'key' }: Declaration): MiddlewareObj<Call>[] {
  const limits = service.applicationLimits;
  if (!limits || access === 'public') return [];
  const taken = new WeakMap<Call, () => void>();
  const release = ({ event: call }: { event: Call }): void => {
    taken.get(call)?.();
    taken.delete(call);
  };

  return [
    {
      async before({ event: call }) {
        if (isPublic(access)) return;
        const { callsPerMinute, concurrency, queueLimit, waitMs } = limits();
        refuseOverLimit(
          await hitInBlocks({
            service: service.name,
            policy: 'application',
            client: call.caller?.application ?? clientNetwork(call.clientAddress),
            limit: callsPerMinute,
            windowSeconds: WINDOW_SECONDS,
          }),
        );
        const { application, isContinued } = shareOf(call);
        // Calls that continue others have slots of their own: their application may have used up the rest.
        const key = `${service.name}/${application}${isContinued ? '/continued' : ''}`;
        const owner = { service: key, application, isContinued };
        // A host that tells when a caller hangs up serves many calls at once. Lambda does neither.
        const isShared = call.hangUp !== undefined;
        const askedAt = performance.now();
        const slot = await slots.acquire(
          key,
          {
            slots: Number.POSITIVE_INFINITY,
            get slotsPerKey() {
              return isShared ? contention.slotsFor(owner, concurrency) : concurrency;
            },
            get nextChangeMs() {
              return isShared ? contention.nextChangeMs(owner) : Number.POSITIVE_INFINITY;
            },
            maxWaiting: Number.POSITIVE_INFINITY,
            maxWaitingPerKey: queueLimit,
          },
          { maxWaitMs: Math.min(waitMs, workingMs(call)), signal: call.hangUp },
        );
        call.waitedMs += performance.now() - askedAt;
        if (!slot) throw new Problem('busy', undefined, RETRY_SOON);
        const end = contention.begin(owner);
        taken.set(call, () => {
          end();
          slot.release();
        });
      },
      after: release,
      onError: release,
    },
  ];
}
