import { createHmac } from 'node:crypto';
import { type Opened, openStored, sealStored } from '../../keyring/stored.ts';
import type { ServiceName } from '../../settings/names.ts';
import { cached } from '../../store/cached.ts';
import type { WebhookEngine } from '../engine.ts';
import type { AuthType, Webhook } from '../webhook.ts';

/** The token and secret that authenticate the deliveries of a webhook. */
export type Credentials = { readonly token: string; readonly secret?: string | undefined };

type Sealer = Pick<WebhookEngine, 'service'>;

// The address is sealed in: the seal does not open if somebody changed the address in the store.
const sealedOf = ({ service }: Sealer, { owner, id, url }: Webhook) => ({
  about: JSON.stringify(['webhook credentials', service, owner, id, url]),
});

/** The webhook for the store. One that is sealed already, or has no token and no secret, is returned unchanged. */
export async function sealCredentials(engine: Sealer, webhook: Webhook): Promise<Webhook> {
  const { token = '', secret, ...open } = webhook;
  if (webhook.sealed !== undefined || (token === '' && secret === undefined)) return webhook;
  const credentials: Credentials = { token, secret };
  return { ...open, sealed: await sealStored(sealedOf(engine, webhook), JSON.stringify(credentials)) };
}

/** The credentials, or why they do not open. */
export async function credentialsOf(engine: Sealer, webhook: Webhook): Promise<Opened<Credentials>> {
  const { token = '', secret } = webhook;
  if (webhook.sealed === undefined) return { plain: { token, secret } };
  const opened = await openStored(sealedOf(engine, webhook), webhook.sealed);
  return 'plain' in opened ? { plain: JSON.parse(opened.plain) as Credentials } : opened;
}

// Opening a seal derives a key, which costs as much as the call of a quick receiver. A sealed text always opens to the
// same: whatever is changed has another text.
const OPEN_MS = 60_000;

const recentlyOpened = cached<Opened<Credentials>>({
  name: 'webhook-credentials',
  read: async (key) => {
    const { service, webhook } = JSON.parse(key) as SealedWebhook;
    return credentialsOf({ service }, webhook);
  },
  ttlMs: () => OPEN_MS,
});

type SealedWebhook = { readonly service: ServiceName; readonly webhook: Webhook };

/** The same as `credentialsOf`, for every attempt. */
export async function openCredentials(engine: WebhookEngine, webhook: Webhook): Promise<Opened<Credentials>> {
  if (webhook.sealed === undefined) return credentialsOf(engine, webhook);
  const key = JSON.stringify({ service: engine.service, webhook } satisfies SealedWebhook);
  const opened = await recentlyOpened.get(key);
  if (opened && 'plain' in opened) return opened;
  // It may open once its key is back in the ring.
  recentlyOpened.drop(key);
  return opened ?? credentialsOf(engine, webhook);
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

/** The header by which a receiver knows its caller. */
export function authorizationOf(authType: AuthType, token: string): Record<string, string> {
  switch (authType) {
    case 'Basic':
    case 'Bearer':
      return { authorization: `${authType} ${token}` };
    case 'ApiKey':
      return { 'x-api-key': token };
    case 'NoAuth':
      return {};
  }
}
