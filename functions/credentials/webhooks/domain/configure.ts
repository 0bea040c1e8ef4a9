import { setWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import type { AuthType, WebhookRequest, WebhookRequestRefusal } from '../../../../shared/webhooks/webhook.ts';
import { errors } from '../../errors.ts';
import { webhooks } from './engine.ts';
import { type Integration, integrations } from './integrations.ts';

type Unset = null | undefined;

/** The whole of an integration: a field that is left out is unset. */
export type IntegrationRequest = {
  readonly enabled: boolean;
  readonly url?: string | Unset;
  readonly authType?: AuthType | Unset;
  readonly token?: string | Unset;
  readonly shouldUseSubscriptionWebhookSettings?: boolean | Unset;
};

// The integration and the webhook of the engine are one commit, so that they agree wherever a process is killed. A
// webhook is registered only while it is in use: what is disabled, or gives way to the organization's, has none, and its
// pending deliveries stop.

/** Sets the webhook of an organization or an institute. Pending deliveries go to another address that is given. */
export async function setIntegration(ownerId: string, request: IntegrationRequest): Promise<Integration> {
  const { enabled, url = null, authType = null } = request;
  const shouldUseSubscriptionWebhookSettings = request.shouldUseSubscriptionWebhookSettings ?? false;
  const isInUse = enabled && !shouldUseSubscriptionWebhookSettings;
  const integration = { ownerId, enabled, url, authType, shouldUseSubscriptionWebhookSettings };
  const webhook = isInUse ? webhookOf(request) : undefined;
  const set = await setWebhook(webhooks, ownerId, webhook, [integrations.putting(integration)]);
  if (set && 'refused' in set) throw webhookRefused(set.refused, set.message);
  return integration;
}

function webhookOf({ url, authType, token }: IntegrationRequest): WebhookRequest {
  if (!url) throw invalidField('url', 'is required to enable the webhook');
  if (!authType) throw invalidField('authType', 'is required to enable the webhook');
  // Nothing is signed for these receivers: there is no secret.
  return { url, authType, token: token ?? undefined, secret: null };
}

const invalidField = (field: string, reason: string) => errors.refuse('InvalidFields', { field, reason });

const webhookRefused = (refused: WebhookRequestRefusal, message: string) =>
  refused === 'bad-token'
    ? invalidField('token', message)
    : errors.refuse('InvalidWebhookUrl', { reason: refused, explanation: message });

/** The integration of an owner as it is configured. One that never was is disabled. */
export const getIntegration = async (ownerId: string): Promise<Integration> =>
  (await integrations.get(ownerId)) ?? {
    ...{ ownerId, enabled: false, url: null, authType: null, shouldUseSubscriptionWebhookSettings: false },
  };

/** The integration of an institute as responses show it. */
export const renderIntegration = ({
  enabled,
  url,
  authType,
  shouldUseSubscriptionWebhookSettings,
}: Integration) => ({ enabled, url, authType, shouldUseSubscriptionWebhookSettings });
