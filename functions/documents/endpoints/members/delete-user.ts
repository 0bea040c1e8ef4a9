import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { UserParams } from '../../contract/organization/members.ts';
import { deleteUser } from '../../domain/members/users.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/organizations/users/{userId}',
    can: 'members.change',
    summary: 'Remove a member of the organization of the key',
    description: 'Their sessions end with the answer. The last owner stays.',
    params: UserParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'MemberNotFound', 'LastOwner'],
  },
  async ({ params, caller }) => {
    await deleteUser(caller, params.userId);
    return empty(204);
  },
);
