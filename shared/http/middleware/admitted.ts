import type { MiddlewareObj } from '@middy/core';
import { admission, type Ticket } from '../../store/gate.ts';
import type { Call } from '../call.ts';
import { inTime, workingMs } from '../deadline.ts';
import type { Declaration } from '../declaration.ts';
import { Problem } from '../errors.ts';
import type { Service } from '../service.ts';

// A place must outlast the function that holds it: its clock and the store's may differ by this much.
const LEASE_MARGIN_MS = 5_000;
// For a host that sets no end.
const LONGEST_CALL_MS = 900_000;
// Who waits for a place gives up this long before its own end: the last try takes its time too.
const LAST_TRY_MS = 200;
// What the answer needs after the place was given back. A store that does not answer costs no more than the rest.
const ANSWER_MS = 100;

/** Lets in as many calls at once as the service accepts, across all its instances. */
export function admitted(service: Service, { access = 'key' }: Declaration): MiddlewareObj<Call>[] {
  const limits = service.admission;
  if (!limits || access === 'public') return [];
  const gate = admission({ service: service.name, name: 'calls' });
  const tickets = new WeakMap<Call, Ticket>();

  const leave = async ({ event: call }: { event: Call }) => {
    const ticket = tickets.get(call);
    tickets.delete(call);
    const withinMs = Math.max(0, call.remainingMs() - ANSWER_MS);
    if (ticket) await inTime(withinMs, () => gate.leave(ticket)).catch(() => undefined);
  };
  return [
    {
      async before({ event: call }) {
        const leaseMs = Math.min(call.remainingMs(), LONGEST_CALL_MS) + LEASE_MARGIN_MS;
        const { waitMs, ...places } = limits();
        const patienceMs = Math.min(waitMs, Math.max(0, workingMs(call) - LAST_TRY_MS));
        const ticket = await gate.enter({ ...places, leaseMs, waitMs: patienceMs });
        if (!ticket) throw new Problem('busy');
        tickets.set(call, ticket);
      },
      after: leave,
      onError: leave,
    },
  ];
}
