import { hashSecret } from '../../access/secrets.ts';
import { processWide } from '../../async/process-wide.ts';
import type { ServiceName } from '../../settings/names.ts';
import { keyedItems } from '../../store/keyed-items.ts';

/** The newest right key of a network, as a hash. */
type Accepted = { readonly hash: string; readonly acceptedAtMs: number; readonly ttl: number };

const LATELY_MS = 3_600_000;
/** A process writes that it accepted a key once in so long, and looks for what others wrote. */
const WRITTEN_EVERY_MS = LATELY_MS / 2;
const READ_EVERY_MS = 5_000;
const MAX_NETWORKS = 10_000;

type Known = { accepted?: Accepted | undefined; readAtMs: number };
const networks = processWide('accepted-keys', () => new Map<string, Known>());

function knownOf(name: string): Known {
  const found = networks.get(name);
  if (found) return found;
  if (networks.size >= MAX_NETWORKS) networks.clear();
  const known: Known = { readAtMs: 0 };
  networks.set(name, known);
  return known;
}

const isLately = (accepted: Accepted | undefined, hash: string, nowMs: number): boolean =>
  accepted?.hash === hash && nowMs - accepted.acceptedAtMs < LATELY_MS;

/**
 * The keys that a service accepted lately from a network, over all processes. A right key costs a write in half an hour for
 * each of them, and guesses a read in five seconds.
 * @example const keys = acceptedKeys('batch', '203.0.113.7'); if (await keys.has(key, nowMs)) …
 */
export function acceptedKeys(service: ServiceName, network: string) {
  const items = keyedItems<Accepted, string>({ service, key: (id) => ({ pk: `ACCEPTED#${id}`, sk: '-' }) });
  const known = knownOf(`${service} ${network}`);
  const hashOf = (key: string) => hashSecret(`${service} ${network} ${key}`);

  return {
    /** Whether this process knows it. */
    knows: (key: string, nowMs: number): boolean => isLately(known.accepted, hashOf(key), nowMs),

    /** Whether any process does. */
    async has(key: string, nowMs: number): Promise<boolean> {
      if (nowMs - known.readAtMs >= READ_EVERY_MS) {
        known.readAtMs = nowMs;
        const [found] = await items.getMany([network]);
        known.accepted = found ?? known.accepted;
      }
      return isLately(known.accepted, hashOf(key), nowMs);
    },

    async note(key: string, nowMs: number): Promise<void> {
      const hash = hashOf(key);
      const { accepted } = known;
      if (accepted?.hash === hash && nowMs - accepted.acceptedAtMs < WRITTEN_EVERY_MS) return;
      known.accepted = { hash, acceptedAtMs: nowMs, ttl: Math.ceil((nowMs + LATELY_MS) / 1_000) };
      await items.patch(network, known.accepted);
    },
  };
}
