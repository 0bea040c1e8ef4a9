import { createHash } from 'node:crypto';
import type { ServiceName } from '../../../settings/names.ts';
import { collection } from '../../../store/collection.ts';
import type { CachedAnswer, RevocationCache } from './cache.ts';

type Head = {
  readonly key: string;
  readonly sha256: string;
  readonly parts: number;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
};

type PartId = { readonly key: string; readonly sha256: string; readonly part: number };
type Part = PartId & { readonly bytes: Uint8Array; readonly nextUpdateMs: number };

// A DynamoDB item holds 400 KB, its attribute names included.
const PART_BYTES = 380_000;

// Larger data costs more to store than to fetch. It stays in the memory of the process.
const MAX_BYTES = 12_000_000;

// Longer than any grace window for data past its nextUpdate.
const KEPT_AFTER_SECONDS = 30 * 86_400;

/**
 * A cache in the service's table, in parts. The parts carry the hash of the whole, and the head is written last:
 *
 *   writer 1  |- parts of A - head A -|
 *   writer 2       |- parts of B ---------- head B -|
 *   reader              sees A whole   ...   sees B whole
 *
 * A missing part (deleted by its TTL) counts as a cache miss.
 * @example const cache = layerCaches(memoryCache(), storeCache('session'));
 */
export function storeCache(service: ServiceName): RevocationCache {
  const indexed = ({ nextUpdateMs }: { nextUpdateMs: number }) => ({
    ttl: Math.ceil(nextUpdateMs / 1000) + KEPT_AFTER_SECONDS,
  });
  const heads = collection<Head, string>({
    service,
    name: 'revocation data',
    id: ({ key }) => key,
    key: (key) => ({ pk: partition(key), sk: 'head' }),
    indexed,
  });
  const parts = collection<Part, PartId>({
    service,
    name: 'part of revocation data',
    id: ({ key, sha256, part }) => ({ key, sha256, part }),
    key: ({ key, sha256, part }) => ({
      pk: partition(key),
      sk: `part#${sha256}#${String(part).padStart(4, '0')}`,
    }),
    indexed,
  });

  return {
    async get(key) {
      const head = await heads.get(key);
      if (!head) return undefined;
      const ids = Array.from({ length: head.parts }, (_, part) => ({ key, sha256: head.sha256, part }));
      const bytes = Buffer.concat((await parts.getMany(ids)).map((part) => part.bytes));
      if (sha256(bytes) !== head.sha256) return undefined;
      return { bytes, thisUpdateMs: head.thisUpdateMs, nextUpdateMs: head.nextUpdateMs };
    },
    async put(key, { bytes, thisUpdateMs, nextUpdateMs }: CachedAnswer) {
      if (bytes.length > MAX_BYTES) return;
      const hash = sha256(bytes);
      const count = Math.ceil(bytes.length / PART_BYTES);
      for (let part = 0; part < count; part++) {
        const slice = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        await parts.put({ key, sha256: hash, part, bytes: slice, nextUpdateMs });
      }
      await heads.put({ key, sha256: hash, parts: count, thisUpdateMs, nextUpdateMs });
    },
  };
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

// A key contains an address of any length; a partition key of DynamoDB has at most 2 KB.
const partition = (key: string): string => `revocation#${sha256(key)}`;
