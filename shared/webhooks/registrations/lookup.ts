import { collection } from '../../store/collection.ts';
import { readTogether } from '../../store/group/read.ts';
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

// No process keeps a list: a webhook that was changed or removed is not called as it was before, whoever changed it. The
// read shares its request with others of the process.

/**
 * The webhooks of an owner as they are now, in the order of their registration, those of the settings first.
 * @example const registered = await listWebhooks(webhooks, organization.id);
 */
export async function listWebhooks(engine: WebhookEngine, owner: string): Promise<readonly Webhook[]> {
  const stored = await readTogether(registrationsOf(engine), owner);
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
