import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { requireOrganization } from '../../tenants/domain/organization.ts';
import {
  SetSubscriptionIntegration,
  SubscriptionIntegration,
  SubscriptionIntegrationParams,
} from '../contract.ts';
import { setIntegration } from '../domain/configure.ts';

export const handler = credentials.endpoint(
  {
    route: 'POST /api/subscriptions/{id}/integrations',
    can: 'webhooks.change',
    summary: 'Set the webhook of an organization',
    description:
      'Sets all of it: a field that is left out is unset, and the token is asked for again. Deliveries that wait go to the new address; those of a webhook that is disabled stop.',
    tag: 'webhooks',
    permission: ADMINISTRATOR,
    params: SubscriptionIntegrationParams,
    body: jsonBody(SetSubscriptionIntegration),
    answers: { 200: SubscriptionIntegration },
    refuses: ['SubscriptionNotFound', 'InvalidWebhookUrl'],
  },
  async ({ params, body, caller }) => {
    const { id } = await requireOrganization(caller, params.id);
    const { enabled, url, authType } = await setIntegration(id, body);
    return { enabled, url, authType };
  },
);
