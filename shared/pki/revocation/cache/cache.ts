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
