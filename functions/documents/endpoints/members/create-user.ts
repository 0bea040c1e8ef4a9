import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { UserModel, UserRequest } from '../../contract/organization/members.ts';
import { createUser, renderUser } from '../../domain/members/users.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/users',
    can: 'members.change',
    summary: 'Invite a member of the organization of the key',
    description:
      'The same as POST /api/organizations/{orgId}/members, in the shape of public client libraries.',
    body: jsonBody(UserRequest),
    answers: { 200: UserModel },
    refuses: [
      'OrganizationRequired',
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'MemberAlreadyExists',
      'MaxMembersLimitReached',
      'LastOwner',
    ],
  },
  async ({ body, caller }) => renderUser(await createUser(caller, body, Date.now())),
);
