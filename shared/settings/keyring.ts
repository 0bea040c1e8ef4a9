import { randomBytes } from 'node:crypto';
import { type Setting, secret } from './kinds.ts';

/** A key of the ring. Sealed values name it by its id. */
export type RingKey = { readonly id: string; readonly key: Uint8Array };

/**
 * The keys of the setting Sealing:Keys. The first one seals; all of them open.
 *
 *   2026-11-18-3fd2:jC8x…=    seals what is new
 *   2026-02-01-77a0:9mVq…=    opens what is older, until it is retired
 */
export type Ring = readonly RingKey[];

const KEY_BYTES = 32;

/** An id, as a regular expression. `own` is none: it stands in sealed texts in place of an id. */
export const KEY_ID = '[a-z0-9][a-z0-9-]{3,39}';

const LINE = new RegExp(`^(${KEY_ID}):([A-Za-z0-9+/]{43}=)$`);

// A parameter of Systems Manager holds 4 KB.
const MAX_KEYS = 40;

/** Reads a ring. Throws an Error whose message completes "Setting Sealing:Keys …". */
export function parseRing(text: string): Ring {
  const lines = text.split(/[\s,]+/).filter((line) => line !== '');
  const ring = lines.map((line) => {
    const [, id, key] = LINE.exec(line) ?? [];
    if (id === undefined || key === undefined)
      throw new Error(
        'must be lines of ID:KEY, newest first, each ID of 4 to 40 lower-case letters, digits and hyphens, and each KEY 32 bytes in base64',
      );
    return { id, key: Buffer.from(key, 'base64') };
  });
  const twice = ring.find(({ id }, n) => ring.findIndex((other) => other.id === id) !== n);
  if (twice) throw new Error(`must have each id once, and has ${twice.id} twice`);
  if (ring.length > MAX_KEYS) throw new Error(`must have at most ${MAX_KEYS} keys: retire some`);
  return ring;
}

/** The ring as its place keeps it. */
export const formatRing = (ring: Ring): string =>
  ring.map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}\n`).join('');

const RANDOM_BYTES = 3;

/** A new key, whose id says when it was made. @example newRingKey(Date.now()).id // '2026-11-18-3fd2a0' */
export const newRingKey = (nowMs: number): RingKey => ({
  id: `${new Date(nowMs).toISOString().slice(0, 10)}-${randomBytes(RANDOM_BYTES).toString('hex')}`,
  key: randomBytes(KEY_BYTES),
});

/** A ring of keys, empty where none is set. @example keyring('Seals what is stored.') */
export const keyring = (why: string): Setting<Ring> => ({
  ...secret('', why),
  default: [],
  unit: 'keys',
  parse: parseRing,
});
