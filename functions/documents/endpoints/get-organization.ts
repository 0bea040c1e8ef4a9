import { OrganizationDetails, OrganizationParams } from '../contract.ts';
import { findOrganization } from '../domain/organization.ts';
import { documents } from '../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}',
    summary: 'One organization',
    params: OrganizationParams,
    answers: { 200: OrganizationDetails },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => findOrganization(params.orgId, caller),
);
