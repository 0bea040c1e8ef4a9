import { createHmac } from 'node:crypto';
import { seal, unseal } from '../../access/seal.ts';
import type { WebhookEngine } from '../engine.ts';
import type { Webhook } from '../webhook.ts';

/** The token and secret that authenticate the deliveries of a webhook. */
export type Credentials = { readonly token: string; readonly secret?: string | undefined };

// The address is part of the key: the seal does not open if somebody changed the address in the store.
const keyFor = ({ service, sealingKey }: WebhookEngine, { owner, id, url }: Webhook) => {
  const key = sealingKey();
  if (key !== '') {
    const about = JSON.stringify(['webhook credentials', service, owner, id, url]);
    return { secret: Buffer.from(key, 'base64'), about };
  }
  throw new Error(
    'Setting Webhooks:SealingKey (Webhooks__SealingKey) is not set: the tokens and secrets of webhooks are sealed with it. Give the key that the stage has, or make one with openssl rand -base64 32.',
  );
};

/** The webhook for the store. One that is sealed already, or has no token and no secret, is returned unchanged. */
export function sealCredentials(engine: WebhookEngine, webhook: Webhook): Webhook {
  const { token = '', secret, ...open } = webhook;
  if (webhook.sealed !== undefined || (token === '' && secret === undefined)) return webhook;
  const credentials: Credentials = { token, secret };
  return { ...open, sealed: seal(keyFor(engine, webhook), JSON.stringify(credentials)) };
}

/** Undefined when the seal does not open: the key is another one, or the address was changed in the store. */
export function credentialsOf(engine: WebhookEngine, webhook: Webhook): Credentials | undefined {
  const { token = '', secret } = webhook;
  if (webhook.sealed === undefined) return { token, secret };
  const opened = unseal(keyFor(engine, webhook), webhook.sealed);
  return opened === undefined ? undefined : (JSON.parse(opened) as Credentials);
}

// Opening a seal derives a key, which costs as much as the call of a quick receiver. A webhook that stays in the cache is
// opened once.
const opened = new WeakMap<
  Webhook,
  { readonly key: string; readonly credentials: Credentials | undefined }
>();

/** The same as `credentialsOf`, for every attempt. */
export function openCredentials(engine: WebhookEngine, webhook: Webhook): Credentials | undefined {
  const key = engine.sealingKey();
  const known = opened.get(webhook);
  if (known?.key === key) return known.credentials;
  const credentials = credentialsOf(engine, webhook);
  opened.set(webhook, { key, credentials });
  return credentials;
}

// The limits of Standard Webhooks.
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

const PREFIX = 'whsec_';

/** Whether a text is a secret of Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const key = signingKeyOf(text);
  const isBase64 = key.toString('base64') === text.slice(PREFIX.length);
  return isBase64 && key.length >= MIN_SECRET_BYTES && key.length <= MAX_SECRET_BYTES;
}

const signingKeyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** The headers of Standard Webhooks, by which a receiver checks that an attempt is authentic and recent. */
export function signatureHeaders(secret: string, id: string, body: string, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', signingKeyOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
