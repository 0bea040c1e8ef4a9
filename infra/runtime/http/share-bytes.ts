import { hash } from 'node:crypto';

// More than there are large pages and files for everybody.
const MAX_KEPT = 1_000;
const kept = new Map<string, WeakRef<Uint8Array>>();
const known = new WeakSet<Uint8Array>();

/**
 * The same bytes, which all answers that have them share while one of them is being sent: a thousand readers that do not
 * read a page of the documentation cost its size once.
 */
export function shareBytes(bytes: Uint8Array): Uint8Array {
  if (known.has(bytes)) return bytes;
  const digest = hash('sha256', bytes, 'base64');
  const same = kept.get(digest)?.deref();
  if (same) return same;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(digest, new WeakRef(bytes));
  known.add(bytes);
  return bytes;
}
