import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

// The tolerance of Standard Webhooks. Replay: a captured request is refused after this time.
const TOLERANCE_SECONDS = 300;

const digest = (text) => createHash('sha256').update(text).digest();

/** Compares in constant time: hashes have one length, so timing does not show where the texts differ. */
export const isSame = (offered, expected) => timingSafeEqual(digest(offered), digest(expected));

/** Whether the header of the registered authType carries the registered token. */
export function hasToken(headers, { authType, token }) {
  if (authType === 'NoAuth') return true;
  if (!token) return false;
  const offered = authType === 'ApiKey' ? headers['x-api-key'] : headers.authorization;
  const expected = authType === 'ApiKey' ? token : `${authType} ${token}`;
  return isSame(offered ?? '', expected);
}

/** Whether the body was signed with the registered secret, and recently. It checks bytes: parse afterwards. */
export function hasSignature(headers, body, secret, nowSeconds = Date.now() / 1000) {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signatures = '',
  } = headers;
  if (!/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  // There may be several while a secret is being replaced.
  return signatures.split(' ').some((offered) => isSame(offered, `v1,${signature}`));
}
