import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ApplicationKeyParams } from '../../contract/organization/applications.ts';
import { revokeOwnKey } from '../../domain/members/applications.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}',
    can: 'applications.change',
    summary: 'Revoke a key',
    description: 'It is refused for good, everywhere after `Access:CacheSeconds`.',
    params: ApplicationKeyParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationNotFound', 'ApplicationNotFound'],
  },
  async ({ params: { orgId, applicationId: id, keyId }, caller }) => {
    await revokeOwnKey(caller, orgId, { id, keyId }, Date.now());
    return empty(204);
  },
);
