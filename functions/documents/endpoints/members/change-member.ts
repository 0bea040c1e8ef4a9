import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { MemberChange, MemberModel, MemberParams } from '../../contract/organization/members.ts';
import { changeMember, renderMember } from '../../domain/members/members.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/members/{memberId}',
    can: 'members.change',
    summary: 'Change a member',
    description:
      'Replaces the name, the CPF and the role. Another role acts on the next request of the member.',
    params: MemberParams,
    body: jsonBody(MemberChange),
    answers: { 200: MemberModel },
    refuses: ['OrganizationNotFound', 'MemberNotFound', 'MemberAlreadyExists', 'LastOwner'],
  },
  async ({ params: { orgId, memberId }, body: { identifier: cpf, ...rest }, caller }) =>
    renderMember(await changeMember(caller, orgId, memberId, { ...rest, cpf })),
);
