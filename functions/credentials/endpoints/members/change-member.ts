import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { MemberChange, MemberModel, MemberParams } from '../../tenants/contract.ts';
import { memberChanges, renderMember } from '../../tenants/domain/members/members.ts';

export const handler = credentials.endpoint(
  {
    route: 'PUT /api/subscriptions/{id}/members/{memberId}',
    can: 'members.change',
    summary: 'Change a member',
    description:
      'Replaces the name, the CPF and the role. Another role acts on the next request of the member.',
    tag: 'members',
    permission: ADMINISTRATOR,
    params: MemberParams,
    body: jsonBody(MemberChange),
    answers: { 200: MemberModel },
    refuses: ['SubscriptionNotFound', 'MemberNotFound', 'MemberAlreadyExists', 'LastAdministrator'],
  },
  async ({ params: { id, memberId }, body: { identifier: cpf, ...rest }, caller }) =>
    renderMember(await memberChanges.changeMember(caller, id, memberId, { ...rest, cpf })),
);
