import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { OrganizationMail, OrganizationParams } from '../../contract/organization/organizations.ts';
import { updateOrganizationMail } from '../../domain/places/organization-mail.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/mail',
    can: 'organization.change',
    summary: 'Set whether participants get mail',
    description:
      'Turns mail to the participants of the documents of this organization on or off. It acts on what happens from now on.',
    params: OrganizationParams,
    body: jsonBody(OrganizationMail),
    answers: { 200: OrganizationMail },
    refuses: ['OrganizationNotFound', 'MailNotEnabled'],
  },
  async ({ params, body, caller }) => updateOrganizationMail(caller, params.orgId, body),
);
