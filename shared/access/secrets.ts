import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32; // nobody guesses 256 bits

/** A value that lets in whoever has it, as links and answers carry it. @example const token = newSecret(); */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** All that a store keeps of a secret. @example key: (token) => ({ pk: `TOKEN#${hashOfSecret(token)}`, sk: 'TOKEN' }) */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether a text could be a secret of ours at all. @example if (!isSecret(text)) return undefined; */
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Whether this is the secret that the hash is of, in constant time. @example isSecretOf(session.tokenHash, token) */
export const matchesSecret = (hash: string | undefined, offered: string): boolean =>
  hash !== undefined && timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(hashSecret(offered), 'hex'));
