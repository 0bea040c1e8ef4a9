import type { CachedAnswer, RevocationCache } from './cache.ts';

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
