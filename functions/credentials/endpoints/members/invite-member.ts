import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { ADMINISTRATOR, credentials } from '../../service.ts';
import { MemberModel, MemberRequest, SubscriptionParams } from '../../tenants/contract.ts';
import { memberChanges, renderMember } from '../../tenants/domain/members/members.ts';

export const handler = credentials.endpoint(
  {
    route: 'POST /api/subscriptions/{id}/members',
    can: 'members.change',
    summary: 'Invite a member',
    description:
      'The person may log in to the console from now on. With a mail server they are told, with a link for the first time. The first member is an Administrador.',
    tag: 'members',
    permission: ADMINISTRATOR,
    params: SubscriptionParams,
    body: jsonBody(MemberRequest),
    answers: { 200: MemberModel },
    refuses: ['SubscriptionNotFound', 'MemberAlreadyExists', 'MaxMembersLimitReached', 'LastAdministrator'],
  },
  async ({ params, body: { identifier: cpf, ...rest }, caller }) =>
    renderMember(await memberChanges.inviteMember(caller, params.id, { ...rest, cpf }, Date.now())),
);
