import { createHmac } from 'node:crypto';

// The limits of Standard Webhooks.
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

const PREFIX = 'whsec_';

/** Whether a text is a secret of Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const key = keyOf(text);
  const isBase64 = key.toString('base64') === text.slice(PREFIX.length);
  return isBase64 && key.length >= MIN_SECRET_BYTES && key.length <= MAX_SECRET_BYTES;
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** The headers of Standard Webhooks, by which a receiver checks that an attempt is authentic and recent. */
export function signatureHeaders(secret: string, id: string, body: string, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
