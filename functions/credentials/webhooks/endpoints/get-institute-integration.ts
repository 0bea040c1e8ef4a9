import { ADMINISTRATOR, credentials } from '../../service.ts';
import { requireInstitute } from '../../tenants/domain/organization.ts';
import { InstituteIntegration, InstituteIntegrationParams } from '../contract.ts';
import { getIntegration, renderIntegration } from '../domain/configure.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/institutes/{id}/integrations',
    can: 'webhooks.read',
    summary: 'Read the webhook of an institute',
    description: 'As it was set, without its token. One that was never set is disabled.',
    tag: 'webhooks',
    permission: ADMINISTRATOR,
    params: InstituteIntegrationParams,
    answers: { 200: InstituteIntegration },
    refuses: ['InstituteNotFound'],
  },
  async ({ params, caller }) => {
    const { id } = await requireInstitute(caller, params.id);
    return renderIntegration(await getIntegration(id));
  },
);
