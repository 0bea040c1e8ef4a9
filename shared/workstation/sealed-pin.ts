import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { spkiOf } from './keys.ts';

/** The agent and the task of a sealed PIN. For another task or agent it does not open. */
export type SealContext = { readonly agentId: string; readonly taskId: string };

const CIPHER = 'aes-256-gcm';
const EPHEMERAL_BYTES = 44; // an X25519 key in SubjectPublicKeyInfo
const TAG_BYTES = 16;
// A zero nonce is safe here, because every message has a key of its own.
const NONCE = Buffer.alloc(12);

const nameOf = ({ agentId, taskId }: SealContext): string => `sinete-offered-pin-v1|${agentId}|${taskId}`;

/**
 * A keyed hash of the PIN: it is sealed in place of the PIN. The agent can compare it with a PIN that it has, and no
 * more: no offered PIN reaches a token, because none reaches the agent. Its length does not depend on the PIN's. It is
 * no protection by itself: a PIN is short, and whoever opens the seal can try them all.
 */
const pinHash = (pin: string, context: SealContext): Buffer =>
  createHmac('sha256', nameOf(context)).update(pin).digest();

// The salt holds both public keys, so that the key belongs to this pair only.
function sealKey(own: KeyObject, theirs: KeyObject, pair: readonly Buffer[], context: SealContext): Buffer {
  const secret = diffieHellman({ privateKey: own, publicKey: theirs });
  const salt = createHash('sha256').update(Buffer.concat(pair)).digest();
  return Buffer.from(hkdfSync('sha256', secret, salt, nameOf(context), 32));
}

/**
 * Seals an offered PIN for one task of one agent. Only that agent's X25519 key opens it.
 * @example const box = sealPin(pin, agentKey, { agentId, taskId });
 */
export function sealPin(pin: string, agentKey: KeyObject, context: SealContext): string {
  const ephemeral = generateKeyPairSync('x25519');
  const ephemeralSpki = spkiOf(ephemeral.publicKey);
  const key = sealKey(ephemeral.privateKey, agentKey, [ephemeralSpki, spkiOf(agentKey)], context);
  const cipher = createCipheriv(CIPHER, key, NONCE);
  const sealed = [cipher.update(pinHash(pin, context)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([ephemeralSpki, ...sealed]).toString('base64url');
}

/**
 * Whether the offered PIN in the box is this PIN, in constant time. Throws where the box is not for this agent and task.
 * @example isSealedPin(pinInUse, task.box, key, { agentId, taskId: task.id }) ? 'matched' : 'different'
 */
export function isSealedPin(pin: string, box: string, agentKey: KeyObject, context: SealContext): boolean {
  const bytes = Buffer.from(box, 'base64url');
  const ephemeralSpki = bytes.subarray(0, EPHEMERAL_BYTES);
  const ephemeral = createPublicKey({ key: ephemeralSpki, format: 'der', type: 'spki' });
  const pair = [ephemeralSpki, spkiOf(createPublicKey(agentKey))];
  const decipher = createDecipheriv(CIPHER, sealKey(agentKey, ephemeral, pair, context), NONCE, {
    authTagLength: TAG_BYTES,
  }).setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = Buffer.concat([
    decipher.update(bytes.subarray(EPHEMERAL_BYTES, -TAG_BYTES)),
    decipher.final(),
  ]);
  return timingSafeEqual(opened, pinHash(pin, context));
}
