import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** 256 random bits, as links and answers carry them. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** All that the store keeps of a secret. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
