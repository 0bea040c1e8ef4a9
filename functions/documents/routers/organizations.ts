import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** Organizations and their options: seldom called, so that one function has all of them. */
export const handler = routeTo(documents, {
  'GET /api/organizations/{orgId}': () => import('../endpoints/organizations/get-organization.ts'),
  'PUT /api/organizations/{orgId}/branding': () => import('../endpoints/organizations/update-branding.ts'),
  'PUT /api/organizations/{orgId}/embedding': () => import('../endpoints/organizations/update-embedding.ts'),
  'PUT /api/organizations/{orgId}/mail': () =>
    import('../endpoints/organizations/update-organization-mail.ts'),
  'POST /api/admin/organizations': () => import('../endpoints/organizations/create-organization.ts'),
  'DELETE /api/admin/organizations/{orgId}': () =>
    import('../endpoints/organizations/delete-organization.ts'),
});
