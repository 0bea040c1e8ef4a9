import { createHash } from 'node:crypto';
import type * as z from 'zod';
import type { Files } from '../../../../shared/files/files.ts';

// A claim file is a small JSON object that says who holds something of a store that programs outside of this installation
// write too: an input for a time (input-lease.ts), the work share for good (work-owner.ts). Only the first of two writers
// gets it, where the store honors If-None-Match.

const MAX_BYTES = 4_096;

/**
 * The claim at a key. Undefined where there is none; `claim` is undefined where it cannot be read. `remove` leaves one
 * that was replaced meanwhile.
 */
export async function readClaim<S extends z.ZodType>(store: Files, key: string, shape: S) {
  const found = await store.get(key);
  if (!found) return undefined;
  if (found.length > MAX_BYTES) {
    found.stream.destroy();
    return { claim: undefined, remove: async () => undefined };
  }
  const bytes = Buffer.concat(await found.stream.toArray());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    claim: parse(shape, bytes),
    remove: async () =>
      void (await store.deleteIfSame(key, { length: bytes.length, sha256, etag: found.etag })),
  };
}

function parse<S extends z.ZodType>(shape: S, bytes: Buffer): z.output<S> | undefined {
  try {
    return shape.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** With `onlyIfAbsent`, throws FileExists where there is one. */
export const writeClaim = (
  store: Files,
  key: string,
  claim: object,
  options: { readonly onlyIfAbsent?: boolean } = {},
) =>
  store.put(key, Buffer.from(`${JSON.stringify(claim)}\n`), { contentType: 'application/json', ...options });
