import type { Caller } from '../../../../shared/access/caller.ts';
import {
  addWebhook,
  getWebhook,
  listWebhooks,
  removeWebhook,
  replaceWebhook,
} from '../../../../shared/webhooks/registrations/registrations.ts';
import type { Webhook, WebhookRequest, WebhookRequestRefusal } from '../../../../shared/webhooks/webhook.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { webhooks as engine } from '../document/webhook-engine.ts';
import { findOrganization, type OrganizationInfo } from '../places/organization.ts';

type Scope = Pick<Caller, 'registered'>;

/** As the interface shows it: what authenticates a delivery is withheld. */
export const shownWebhook = ({ id, url, authType }: Webhook) => ({ id, url, authType });

/** An organization with its webhooks. */
export async function organizationDetails(organizationId: string, caller: Scope) {
  const organization = await findOrganization(organizationId, caller);
  return { ...organization, webhooks: (await listWebhooks(engine, organizationId)).map(shownWebhook) };
}

export async function createWebhook(
  organizationId: string,
  wish: WebhookRequest,
  caller: Scope,
): Promise<Webhook> {
  await organizationWithWebhooks(organizationId, caller);
  const added = await addWebhook(engine, organizationId, wish);
  if (!('refused' in added)) return added;
  if (added.refused !== 'limit-reached') throw wishRefused(added.refused, added.message);
  throw errors.refuse('MaxWebhooksLimitReached', { limit: settings.MaxWebhooksPerOrganization });
}

export async function updateWebhook(
  organizationId: string,
  webhookId: string,
  wish: WebhookRequest,
  caller: Scope,
): Promise<Webhook> {
  await organizationWithWebhooks(organizationId, caller);
  const replaced = await replaceWebhook(engine, organizationId, webhookId, wish);
  if (!('refused' in replaced)) return replaced;
  if (replaced.refused === 'not-found') throw webhookNotFound(webhookId);
  throw wishRefused(replaced.refused, replaced.message);
}

/** What waits for it is not sent any more. */
export async function deleteWebhook(organizationId: string, webhookId: string, caller: Scope): Promise<void> {
  await organizationWithWebhooks(organizationId, caller);
  if (!(await removeWebhook(engine, organizationId, webhookId))) throw webhookNotFound(webhookId);
}

/** A webhook of another organization is one that does not exist. */
export async function findWebhook(
  organizationId: string,
  webhookId: string,
  caller: Scope,
): Promise<{ readonly organization: OrganizationInfo; readonly webhook: Webhook }> {
  const organization = await organizationWithWebhooks(organizationId, caller);
  const webhook = await getWebhook(engine, organizationId, webhookId);
  if (!webhook) throw webhookNotFound(webhookId);
  return { organization, webhook };
}

export const webhookNotFound = (webhookId: string) =>
  errors.refuse('WebhookNotFound', { resourceName: 'Webhook', resourceId: webhookId });

async function organizationWithWebhooks(organizationId: string, caller: Scope): Promise<OrganizationInfo> {
  const organization = await findOrganization(organizationId, caller);
  if (organization.identifier !== null) return organization;
  throw errors.refuse('OperationNotSupportedInPersonalOrganizations', { organizationId });
}

const FIELDS: Partial<Record<WebhookRequestRefusal, string>> = {
  'bad-token': 'token',
  'bad-secret': 'secret',
  'secret-required': 'secret',
};

function wishRefused(refused: WebhookRequestRefusal, message: string) {
  const field = FIELDS[refused];
  if (field) return errors.refuse('InvalidRequest', { field, reason: message }, { status: 400 });
  return errors.refuse('InvalidWebhookUrl', { reason: refused, explanation: message });
}
