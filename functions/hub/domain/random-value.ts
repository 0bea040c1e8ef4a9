import { createHash, randomBytes } from 'node:crypto';

const VALUE_BYTES = 32; // nobody guesses 256 bits
const SHAPE = /^[\w-]{43}$/;

/** A value that is known to whoever it is given to; the store keeps its hash. */
export const newValue = (): string => randomBytes(VALUE_BYTES).toString('base64url');

/** Whether a text could be one at all. */
export const isValue = (text: string): boolean => SHAPE.test(text);

export const hashOfValue = (value: string): string => createHash('sha256').update(value).digest('hex');

/** What PKCE shows of a verifier before the verifier itself. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** How long what is over is still told apart from what never was. */
export const KEPT_AFTER_END_MS = 86_400_000;
