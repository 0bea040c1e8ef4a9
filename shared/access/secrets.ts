import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32; // nobody guesses 256 bits

/** A value that lets in whoever has it, as links and answers carry it. @example const token = newSecret(); */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** All that a store keeps of a secret. @example key: (token) => ({ pk: `TOKEN#${hashOfSecret(token)}`, sk: 'TOKEN' }) */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
