import type { Caller } from '../../../../shared/access/caller.ts';
import { getWebhook, listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import {
  addWebhook,
  removeWebhook,
  replaceWebhook,
} from '../../../../shared/webhooks/registrations/registrations.ts';
import type { Webhook, WebhookRequest, WebhookRequestRefusal } from '../../../../shared/webhooks/webhook.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { webhooks as engine } from '../document/webhook-engine.ts';
import { publicBrandingOf } from '../places/branding.ts';
import {
  findOrganization,
  isInScope,
  type OrganizationInfo,
  organizationNotFound,
  publicPartOf,
  requireCurrentOrganization,
} from '../places/organization.ts';

type Scope = Pick<Caller, 'registered'>;

/** A webhook as responses show it, without its token and secret. */
export const renderWebhook = ({ id, url, authType }: Webhook) => ({ id, url, authType });

const MAIL_OFF = { enabled: false, requiresCode: false };

/** Reads an organization as it is now, with its webhooks. */
export async function getOrganization(caller: Scope, organizationId: string) {
  if (!isInScope(caller, organizationId)) throw organizationNotFound(organizationId);
  const [active, registered] = await Promise.all([
    requireCurrentOrganization(organizationId),
    listWebhooks(engine, organizationId),
  ]);
  const { mail = MAIL_OFF } = active;
  return {
    ...publicPartOf(active),
    branding: publicBrandingOf(active),
    webhooks: registered.map(renderWebhook),
    mail,
  };
}

export async function createWebhook(
  caller: Scope,
  organizationId: string,
  request: WebhookRequest,
): Promise<Webhook> {
  await requireWebhookSupport(caller, organizationId);
  const added = await addWebhook(engine, organizationId, request);
  if (!('refused' in added)) return added;
  if (added.refused !== 'limit-reached') throw webhookRefused(added.refused, added.message);
  throw errors.refuse('MaxWebhooksLimitReached', { limit: settings.MaxWebhooksPerOrganization });
}

export async function updateWebhook(
  caller: Scope,
  organizationId: string,
  webhookId: string,
  request: WebhookRequest,
): Promise<Webhook> {
  await requireWebhookSupport(caller, organizationId);
  const replaced = await replaceWebhook(engine, organizationId, webhookId, request);
  if (!('refused' in replaced)) return replaced;
  if (replaced.refused === 'not-found') throw webhookNotFound(webhookId);
  throw webhookRefused(replaced.refused, replaced.message);
}

/** Deletes a webhook. Its pending deliveries are not sent. */
export async function deleteWebhook(caller: Scope, organizationId: string, webhookId: string): Promise<void> {
  await requireWebhookSupport(caller, organizationId);
  if (!(await removeWebhook(engine, organizationId, webhookId))) throw webhookNotFound(webhookId);
}

/** Finds a webhook. One of another organization does not exist. */
export async function findWebhook(
  caller: Scope,
  organizationId: string,
  webhookId: string,
): Promise<{ readonly organization: OrganizationInfo; readonly webhook: Webhook }> {
  const organization = await requireWebhookSupport(caller, organizationId);
  const webhook = await getWebhook(engine, organizationId, webhookId);
  if (!webhook) throw webhookNotFound(webhookId);
  return { organization, webhook };
}

export const webhookNotFound = (webhookId: string) =>
  errors.refuse('WebhookNotFound', { resourceName: 'Webhook', resourceId: webhookId });

async function requireWebhookSupport(caller: Scope, organizationId: string): Promise<OrganizationInfo> {
  const organization = await findOrganization(caller, organizationId);
  if (organization.identifier !== null) return organization;
  throw errors.refuse('OperationNotSupportedInPersonalOrganizations', { organizationId });
}

const FIELDS: Partial<Record<WebhookRequestRefusal, string>> = {
  'bad-token': 'token',
  'bad-secret': 'secret',
  'secret-required': 'secret',
};

function webhookRefused(refused: WebhookRequestRefusal, message: string) {
  const field = FIELDS[refused];
  if (field) return errors.refuse('InvalidRequest', { field, reason: message }, { status: 400 });
  return errors.refuse('InvalidWebhookUrl', { reason: refused, explanation: message });
}
