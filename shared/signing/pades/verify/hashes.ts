import type { Hash } from 'node:crypto';
import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { type Digest, openHash } from '../../digest.ts';
import { HASHED_BYTE_UNITS } from '../pdf/budget.ts';
import { eachSlice, sourceOf } from '../pdf/source.ts';
import type { Covered } from './byte-range.ts';

// Hashing the file twice is free for a file of any size. Signatures that need more are charged.
const FREE_TIMES = 2;

/** The hash of the bytes that a signature covers. */
export type HashOf = (digest: Digest) => Buffer;

/**
 * The hashes for all signatures of a file. The bytes before a signature's /Contents are shared with the later
 * signatures, so they are hashed once and not once for each:
 *
 *   |---- first save ----<Contents>---|---- second save ----<Contents>---|
 *   first   ~~~~~~~~~~~~~          ~~~
 *   second  ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~          ~~~
 */
export function hashesOf(file: Buffer, all: readonly Covered[], budget: Budget): (of: Covered) => HashOf {
  const source = sourceOf(file);
  const starts = all.map(({ contentsStart }) => contentsStart).toSorted((one, other) => one - other);
  const begun = new Map<Digest, ReadonlyMap<number, Hash>>();
  let freeBytes = FREE_TIMES * file.length;
  const take = (hash: Hash, start: number, end: number): void => {
    freeBytes -= Math.max(0, end - start);
    if (freeBytes < 0) chargeTime(budget, HASHED_BYTE_UNITS * (end - start));
    eachSlice(source, start, end, (slice) => void hash.update(slice));
  };
  const upToContents = (digest: Digest): ReadonlyMap<number, Hash> => {
    const found = new Map<number, Hash>();
    const running = openHash(digest);
    let at = 0;
    for (const start of starts) {
      take(running, at, start);
      found.set(start, running.copy());
      at = start;
    }
    return found;
  };
  return ({ contentsStart, contentsEnd, end }) => {
    const known = new Map<Digest, Buffer>();
    return (digest) => {
      const computed = known.get(digest);
      if (computed) return computed;
      const before = begun.get(digest) ?? upToContents(digest);
      begun.set(digest, before);
      const hash = before.get(contentsStart)?.copy() ?? openHash(digest);
      take(hash, contentsEnd, end);
      const found = hash.digest();
      known.set(digest, found);
      return found;
    };
  };
}
