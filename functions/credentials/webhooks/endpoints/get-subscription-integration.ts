import { ADMINISTRATOR, credentials } from '../../service.ts';
import { requireOrganization } from '../../tenants/domain/organization.ts';
import { SubscriptionIntegration, SubscriptionIntegrationParams } from '../contract.ts';
import { getIntegration } from '../domain/configure.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/subscriptions/{id}/integrations',
    can: 'webhooks.read',
    summary: 'Read the webhook of an organization',
    description: 'As it was set, without its token. One that was never set is disabled.',
    tag: 'webhooks',
    permission: ADMINISTRATOR,
    params: SubscriptionIntegrationParams,
    answers: { 200: SubscriptionIntegration },
    refuses: ['SubscriptionNotFound'],
  },
  async ({ params, caller }) => {
    const { id } = await requireOrganization(caller, params.id);
    const { enabled, url, authType } = await getIntegration(id);
    return { enabled, url, authType };
  },
);
