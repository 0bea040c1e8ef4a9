import { isFromTheFuture } from '../freshness.ts';

/** Fetched revocation data, with its dates. It is fetched again after nextUpdate. */
export type CachedAnswer = {
  readonly bytes: Buffer;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
};

/** Stores fetched data. Data past its nextUpdate is kept too: it is used while newer data is out of reach. */
export type RevocationCache = {
  readonly get: (key: string) => Promise<CachedAnswer | undefined>;
  readonly put: (key: string, answer: CachedAnswer) => Promise<void>;
};

/**
 * A fast cache in front of a shared one. Data from the future counts as missing in either. @example layerCaches(memoryCache(), storeCache('session'))
 */
export const layerCaches = (
  near: RevocationCache,
  far: RevocationCache,
  now: () => number = Date.now,
): RevocationCache => ({
  async get(key) {
    const usable = (answer: CachedAnswer | undefined) =>
      answer && !isFromTheFuture(answer, now()) ? answer : undefined;
    const known = usable(await near.get(key));
    if (known && known.nextUpdateMs > now()) return known;
    const shared = usable(await far.get(key));
    if (!shared || (known && known.thisUpdateMs >= shared.thisUpdateMs)) return known;
    await near.put(key, shared);
    return shared;
  },
  async put(key, answer) {
    await near.put(key, answer);
    await far.put(key, answer);
  },
});

// A handful of large CRLs beside thousands of OCSP responses, in a function of 256 MB or more.
const MAX_BYTES = 48_000_000;

/** A least-recently-used cache in this process, limited by bytes. @example memoryCache() */
export function memoryCache(maxBytes: number = MAX_BYTES): RevocationCache {
  const kept = new Map<string, CachedAnswer>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= kept.get(key)?.bytes.length ?? 0;
    kept.delete(key);
  };
  return {
    async get(key) {
      const answer = kept.get(key);
      if (answer) {
        // LRU: a Map keeps insertion order. A used entry moves to the end; entries are dropped from the start.
        kept.delete(key);
        kept.set(key, answer);
      }
      return answer;
    },
    async put(key, answer) {
      drop(key);
      kept.set(key, answer);
      bytes += answer.bytes.length;
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
