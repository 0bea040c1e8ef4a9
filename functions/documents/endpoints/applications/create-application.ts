import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ApplicationRequest, IssuedKey } from '../../contract/organization/applications.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { createOwnApplication } from '../../domain/members/applications.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/applications',
    can: 'applications.change',
    summary: 'Make an application, with a key',
    description:
      'Its keys are scoped to this organization, and may do what a member of that role may. The key is answered once.',
    params: OrganizationParams,
    body: jsonBody(ApplicationRequest),
    answers: { 200: IssuedKey },
    refuses: ['OrganizationNotFound', 'MaxApplicationsLimitReached'],
  },
  async ({ params, body, caller }) => createOwnApplication(caller, params.orgId, body),
);
