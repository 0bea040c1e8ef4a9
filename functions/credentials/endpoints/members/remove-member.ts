import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { MemberParams } from '../../tenants/contract.ts';
import { memberChanges } from '../../tenants/domain/members/members.ts';

export const handler = credentials.endpoint(
  {
    route: 'DELETE /api/subscriptions/{id}/members/{memberId}',
    can: 'members.change',
    summary: 'Remove a member',
    description: 'Their sessions end with the answer. The last Administrador stays.',
    tag: 'members',
    permission: ADMINISTRATOR,
    params: MemberParams,
    answers: { 204: EMPTY },
    refuses: ['SubscriptionNotFound', 'MemberNotFound', 'LastAdministrator'],
  },
  async ({ params: { id, memberId }, caller }) => {
    await memberChanges.removeMember(caller, id, memberId);
    return empty(204);
  },
);
