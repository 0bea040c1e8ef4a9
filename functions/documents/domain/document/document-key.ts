import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { type Document, documentItems, isThere } from './document.ts';

// The key in a link is the document's id without dashes and a secret. By the id the document is found with no
// second item; the secret is kept as it is, because links are made again and again, and opens nothing without a
// ticket.
const KEY = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/;
const SECRET_BYTES = 16;

/** The key as links carry it. */
export const documentKey = ({ id, keySecret }: Pick<Document, 'id' | 'keySecret'>): string =>
  `${id.replaceAll('-', '')}${keySecret}`;

/** The secret half of a new document's key. */
export const newKeySecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The document that a key opens. One that is wrong in any part opens none. */
export async function documentByKey(key: string): Promise<Stored<Document>> {
  const [, hex = '', secret = ''] = KEY.exec(key) ?? [];
  const found = hex === '' ? undefined : await documentItems.get(dashed(hex));
  if (found && isSame(found.keySecret, secret) && (await isThere(found))) return found;
  throw errors.refuse('DocumentInvalidKey');
}

const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const isSame = (kept: string, given: string): boolean =>
  kept.length === given.length && timingSafeEqual(Buffer.from(kept), Buffer.from(given));
