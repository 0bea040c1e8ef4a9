import { commonSettings } from '../../settings/common.ts';
import type { ServiceName } from '../../settings/names.ts';
import { cached } from '../../store/cached.ts';
import { collection } from '../../store/collection.ts';
import type { WebhookEngine } from '../engine.ts';
import type { Webhook } from '../webhook.ts';

/** All webhooks of an owner are one item, so that one conditional write decides their number. */
type Registrations = { readonly owner: string; readonly webhooks: readonly Webhook[] };

export const registrationsOf = ({ service }: Pick<WebhookEngine, 'service'>) =>
  collection<Registrations, string>({
    service,
    name: 'list of webhooks',
    id: ({ owner }) => owner,
    key: (owner) => ({ pk: `WEBHOOKS#${owner}`, sk: 'WEBHOOKS' }),
  });

/**
 * The webhooks of an owner in the order of their registration, those of the settings first.
 * @example const registered = await listWebhooks(webhooks, organization.id);
 */
export async function listWebhooks(engine: WebhookEngine, owner: string): Promise<readonly Webhook[]> {
  const stored = await registrationsOf(engine).get(owner);
  return withFixed(engine, owner, stored?.webhooks);
}

const withFixed = (engine: WebhookEngine, owner: string, stored: readonly Webhook[] = []) => [
  ...(engine.fixed?.(owner) ?? []),
  ...stored,
];

/**
 * One webhook of an owner, or undefined.
 * @example const webhook = await getWebhook(webhooks, organization.id, webhookId);
 */
export async function getWebhook(
  engine: WebhookEngine,
  owner: string,
  id: string,
): Promise<Webhook | undefined> {
  return (await listWebhooks(engine, owner)).find((webhook) => webhook.id === id);
}

// The webhooks of the table as this process last read them. An owner without webhooks is kept as well: most have none,
// and every event asks.
const lists = cached<readonly Webhook[]>({
  name: 'webhooks',
  read: async (key) => {
    const [service, owner] = JSON.parse(key) as [ServiceName, string];
    return (await registrationsOf({ service }).get(owner))?.webhooks ?? [];
  },
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});
const cacheKey = ({ service }: WebhookEngine, owner: string): string => JSON.stringify([service, owner]);

/**
 * The webhooks of an owner as they were at most `Access:CacheSeconds` ago; a change in this process is seen at once.
 * @example const webhooks = await cachedWebhooks(engine, organization.id);
 */
export const cachedWebhooks = async (engine: WebhookEngine, owner: string): Promise<readonly Webhook[]> =>
  withFixed(engine, owner, await lists.get(cacheKey(engine, owner)));

/**
 * One webhook as it was at most `Access:CacheSeconds` ago. One that the cache lacks is looked for in the table: it may
 * have been registered elsewhere since, and the deliveries of a webhook that does not exist are deleted.
 */
export async function cachedWebhook(
  engine: WebhookEngine,
  owner: string,
  id: string,
): Promise<Webhook | undefined> {
  const isThis = (webhook: Webhook): boolean => webhook.id === id;
  const known = (await cachedWebhooks(engine, owner)).find(isThis);
  if (known) return known;
  dropCachedWebhooks(engine, owner);
  return (await cachedWebhooks(engine, owner)).find(isThis);
}

/** For the end of every write to the list. */
export const dropCachedWebhooks = (engine: WebhookEngine, owner: string): void =>
  lists.drop(cacheKey(engine, owner));
