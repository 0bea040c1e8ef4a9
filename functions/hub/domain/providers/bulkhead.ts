import { settings } from '../../settings.ts';
import { type Circuit, circuit } from './circuit.ts';
import { type Places, places } from './places.ts';
import type { Provider } from './provider.ts';

/** The kinds of calls. They fail and fill up apart: a provider whose discovery hangs may sign very well. */
export type Operation = 'discovery' | 'application-token' | 'token' | 'certificates' | 'signature';

export type Bulkhead = { readonly circuit: Circuit; readonly places: Places };

const knownCircuits = new Map<string, Circuit>();
const knownPlaces = new Map<string, Places>();

/**
 * What this instance knows of one kind of calls to one provider. A provider that moved is another one. The places are
 * everyone's; the circuit is each application's own, so that what one of them asks for cuts off no other.
 */
export function bulkheadOf({ name, baseUrl, askedBy }: Provider, operation: Operation): Bulkhead {
  const where = [operation, name.toLowerCase(), baseUrl];
  return {
    circuit: onceMade(knownCircuits, [...where, askedBy], () =>
      circuit(() => ({
        failures: settings['Providers:CircuitFailures'],
        openForMs: settings['Providers:CircuitOpenFor'] * 1000,
      })),
    ),
    places: onceMade(knownPlaces, where, () => places(() => settings['Providers:MaxConcurrentCalls'])),
  };
}

function onceMade<T>(known: Map<string, T>, of: readonly unknown[], make: () => T): T {
  const key = JSON.stringify(of);
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}
