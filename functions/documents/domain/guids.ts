import { createHash } from 'node:crypto';

/** A UUID derived from these parts: the same parts always give the same id. */
export function derivedGuid(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // RFC 9562 version 8: the other bits follow rules of our own.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The id of an application, a person or an owner as answers and events show it: clients read a GUID. An id that is none,
 * such as the name of an application, is stored as it is, and shown as the GUID that is derived from it.
 * @example shownId('application', 'sandbox') // always the same GUID
 */
export const shownId = (kind: 'application' | 'person' | 'owner', id: string): string =>
  GUID.test(id) ? id : derivedGuid(kind, id);
