import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32; // 256 bits

/** A new bearer secret for links and responses. @example const token = newSecret(); */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The hash of a secret. Stores keep only this. @example key: (token) => ({ pk: `TOKEN#${hashSecret(token)}`, sk: 'TOKEN' }) */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Whether a text has the form of a secret. @example if (!isSecret(text)) return undefined; */
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Whether the hash is of this secret, in constant time. @example matchesSecret(session.tokenHash, token) */
export const matchesSecret = (known: string | undefined, offered: string): boolean =>
  known !== undefined && timingSafeEqual(Buffer.from(known, 'hex'), Buffer.from(hashSecret(offered), 'hex'));
