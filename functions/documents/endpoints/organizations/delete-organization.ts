import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { deleteOrganization } from '../../domain/removal/delete-organization.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/admin/organizations/{orgId}',
    summary: 'Delete an organization, with its folders and documents',
    description:
      'The organization does not exist from the answer on. Its folders, documents and webhooks are deleted in the background.',
    permission: 'admin',
    params: OrganizationParams,
    answers: { 204: EMPTY },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params }) => {
    await deleteOrganization(params.orgId, Date.now());
    return empty(204);
  },
);
