import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { MemberParams } from '../../contract/organization/members.ts';
import { removeMember } from '../../domain/members/members.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/organizations/{orgId}/members/{memberId}',
    can: 'members.change',
    summary: 'Remove a member',
    description: 'Their sessions end with the answer. The last owner stays.',
    params: MemberParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationNotFound', 'MemberNotFound', 'LastOwner'],
  },
  async ({ params: { orgId, memberId }, caller }) => {
    await removeMember(caller, orgId, memberId);
    return empty(204);
  },
);
