import { ApplicationParams, IssuedKey } from '../../contract/organization/applications.ts';
import { issueOwnKey } from '../../domain/members/applications.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/applications/{applicationId}/keys',
    can: 'applications.change',
    summary: 'Issue a key',
    description: 'The key is answered once. Those before it stay: revoke them when the new one is in use.',
    params: ApplicationParams,
    answers: { 200: IssuedKey },
    refuses: ['OrganizationNotFound', 'ApplicationNotFound', 'MaxApplicationsLimitReached'],
  },
  async ({ params: { orgId, applicationId }, caller }) => issueOwnKey(caller, orgId, applicationId),
);
