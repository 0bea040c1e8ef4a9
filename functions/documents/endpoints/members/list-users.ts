import { Users, UsersQuery } from '../../contract/organization/members.ts';
import { listUsers } from '../../domain/members/users.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/users',
    can: 'members.read',
    summary: 'List the members of the organization of the key',
    description: 'The members in the shape of public client libraries. `q` looks in names and addresses.',
    query: UsersQuery,
    answers: { 200: Users },
    refuses: ['OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ query, caller }) => listUsers(caller, query),
);
