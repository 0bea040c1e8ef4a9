import { processWide } from '../async/process-wide.ts';
import type { ServiceName } from '../settings/names.ts';

// An instance is a process that a host starts and somebody can start again: the local engine, or a container. The host
// tells its functions what its start found. A function of AWS has no such start: another cold start is nobody's to order.
const unreachable = processWide('store.unreachable-at-start', () => new Set<ServiceName>());

/**
 * Records, once, the services whose store did not answer when this instance started. The host calls it before it serves.
 * @example recordStart({ unreachable: await findUnreachable(['batch', 'compact']) });
 */
export function recordStart(found: { readonly unreachable: readonly ServiceName[] }): void {
  unreachable.clear();
  for (const service of found.unreachable) unreachable.add(service);
}

/** Whether the store of a service did not answer when this instance started. */
export const wasUnreachableAtStart = (service: ServiceName): boolean => unreachable.has(service);
