import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ApplicationParams } from '../../contract/organization/applications.ts';
import { removeOwnApplication } from '../../domain/members/applications.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/organizations/{orgId}/applications/{applicationId}',
    can: 'applications.change',
    summary: 'Remove an application',
    description: 'All its keys are refused from then on, for good.',
    params: ApplicationParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationNotFound', 'ApplicationNotFound'],
  },
  async ({ params: { orgId, applicationId }, caller }) => {
    await removeOwnApplication(caller, orgId, applicationId);
    return empty(204);
  },
);
