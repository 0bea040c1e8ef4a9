import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { requireInstitute } from '../../tenants/domain/organization.ts';
import { InstituteIntegration, InstituteIntegrationParams, SetInstituteIntegration } from '../contract.ts';
import { renderIntegration, setIntegration } from '../domain/configure.ts';

export const handler = credentials.endpoint(
  {
    route: 'POST /api/institutes/{id}/integrations',
    can: 'webhooks.change',
    summary: 'Set the webhook of an institute',
    description:
      "It gets the events of the institute's lists of annulled degrees and inspection files. Sets all of it: a field that is left out is unset, and the token is asked for again. Deliveries that wait go to the new address; those of a webhook that is disabled, or gives way to the organization's, stop.",
    tag: 'webhooks',
    permission: ADMINISTRATOR,
    params: InstituteIntegrationParams,
    body: jsonBody(SetInstituteIntegration),
    answers: { 200: InstituteIntegration },
    refuses: ['InstituteNotFound', 'InvalidWebhookUrl'],
  },
  async ({ params, body, caller }) => {
    const { id } = await requireInstitute(caller, params.id);
    return renderIntegration(await setIntegration(id, body));
  },
);
