import { BadKey } from './errors.ts';

// S3's own limit.
const MAX_KEY_BYTES = 1_024;

/**
 * Refuses keys that are not plain paths inside the bucket. S3 itself takes "../x" as a name, but links, proxies
 * and emulators resolve it, and with the bucket in the path it would reach another bucket.
 */
export function requireSafeKey(key: string): string {
  const parts = key.split('/');
  if (key === '') throw new BadKey(key, 'is empty');
  if (parts.includes(''))
    throw new BadKey(key, 'has an empty part: it starts or ends with "/", or holds "//"');
  if (parts.includes('.') || parts.includes('..')) throw new BadKey(key, 'has a part "." or ".."');
  return requireSafeText(key);
}

/** A prefix to list by: the start of a key, or nothing for the whole bucket. */
export function requireSafePrefix(prefix: string): string {
  if (prefix !== '') requireSafeKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  return prefix;
}

function requireSafeText(key: string): string {
  if (key.includes('\\')) throw new BadKey(key, 'holds a backslash');
  if (/[\p{Cc}\uFFFE\uFFFF]/u.test(key)) throw new BadKey(key, 'holds a control character');
  if (!key.isWellFormed()) throw new BadKey(key, 'is not well-formed Unicode');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new BadKey(key, `is longer than ${MAX_KEY_BYTES} bytes`);
  return key;
}
