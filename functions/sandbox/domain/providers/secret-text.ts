import { createHash, randomBytes } from 'node:crypto';

/** A code or token that nobody guesses. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What the store keeps of it. @example await tokens.get(hashOfSecret(given)) */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
