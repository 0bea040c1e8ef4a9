import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreatedOrganization, CreateOrganization } from '../../contract/organization/organizations.ts';
import { createOrganization } from '../../domain/places/organization-roster.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/admin/organizations',
    summary: 'Create an organization',
    description:
      'Creates an organization and answers its id. Keys see it once an operator has registered it for their application.',
    permission: 'admin',
    body: jsonBody(CreateOrganization),
    answers: { 200: CreatedOrganization },
    once: true,
  },
  async ({ body: { billingInformation, ...rest }, once }) => {
    const request = { ...rest, ...(billingInformation && { billingInformation }) };
    return once(request, async () => ({ id: (await createOrganization(request, Date.now())).id }));
  },
);
