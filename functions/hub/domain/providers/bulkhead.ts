import type { Caller } from '../../../../shared/access/caller.ts';
import { type FairSemaphore, fairSemaphore, type Slot } from '../../../../shared/async/fair-semaphore.ts';
import { settings } from '../../settings.ts';
import { type Circuit, circuit } from './circuit.ts';
import type { Operation, Provider } from './provider.ts';

/** The limits of this instance for one operation at one provider. */
export type Bulkhead = {
  readonly circuit: Circuit;
  /** A slot for one call, or nothing after this wait. */
  readonly acquire: (maxWaitMs: number) => Promise<Slot | undefined>;
};

const circuits = new Map<string, Circuit>();
const semaphores = new Map<string, FairSemaphore>();

const EVERYONE = 'everyone';

/**
 * Operations have separate bulkheads: a provider whose discovery hangs may still sign. A provider with a new address is
 * another one. All applications share the slots; each has its own circuit, so that the failures of one cut off no other.
 */
export function bulkheadOf(
  { application }: Pick<Caller, 'application'>,
  { name, baseUrl }: Provider,
  operation: Operation,
): Bulkhead {
  const key = [operation, name.toLowerCase(), baseUrl];
  const slots = getOrMake(semaphores, key, fairSemaphore);
  return {
    circuit: getOrMake(circuits, [...key, application], () =>
      circuit(() => ({
        failures: settings['Providers:CircuitFailures'],
        openForMs: settings['Providers:CircuitOpenFor'] * 1000,
      })),
    ),
    acquire: (maxWaitMs) =>
      slots.acquire(
        EVERYONE,
        { slots: settings['Providers:MaxConcurrentCalls'], maxWaiting: Number.POSITIVE_INFINITY },
        { maxWaitMs },
      ),
  };
}

function getOrMake<T>(known: Map<string, T>, of: readonly string[], make: () => T): T {
  const key = JSON.stringify(of);
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
