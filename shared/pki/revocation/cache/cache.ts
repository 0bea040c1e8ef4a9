/** Something fetched, with the time until which it need not be fetched again. */
export type CachedAnswer = {
  readonly bytes: Buffer;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
};

/** Keeps what was fetched. What is past its time is kept too: it may serve while nothing newer can be had. */
export type RevocationCache = {
  readonly get: (key: string) => Promise<CachedAnswer | undefined>;
  readonly put: (key: string, answer: CachedAnswer) => Promise<void>;
};

/**
 * A cache near by in front of one that others share. @example layerCaches(memoryCache(), storeCache('session'))
 */
export const layerCaches = (
  near: RevocationCache,
  far: RevocationCache,
  now: () => number = Date.now,
): RevocationCache => ({
  async get(key) {
    const known = await near.get(key);
    if (known && known.nextUpdateMs > now()) return known;
    const shared = await far.get(key);
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

/** Keeps in this process what was used last, up to so many bytes. @example memoryCache() */
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
        // A Map keeps its order: what is used goes to its end, what is not is dropped from its start.
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
