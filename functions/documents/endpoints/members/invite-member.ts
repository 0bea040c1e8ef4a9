import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { MemberModel, MemberRequest } from '../../contract/organization/members.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { inviteMember, renderMember } from '../../domain/members/members.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/members',
    can: 'members.change',
    summary: 'Invite a member',
    description:
      'The person may log in to the console from now on. With a mail server they are told, with a link for the first time. The first member is an owner.',
    params: OrganizationParams,
    body: jsonBody(MemberRequest),
    answers: { 200: MemberModel },
    refuses: [
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'MemberAlreadyExists',
      'MaxMembersLimitReached',
      'LastOwner',
    ],
  },
  async ({ params, body: { identifier: cpf, ...rest }, caller }) =>
    renderMember(await inviteMember(caller, params.orgId, { ...rest, cpf }, Date.now())),
);
