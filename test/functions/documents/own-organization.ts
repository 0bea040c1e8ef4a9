import {
  type CreateOrganizationRequest,
  createOrganization,
} from '../../../functions/documents/domain/places/organization-roster.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';

type OwnOrganization = { readonly orgId: string; readonly key: string };

/** Creates an organization for one test, and a key scoped to it alone. */
export async function ownOrganization(
  request: Partial<CreateOrganizationRequest> = {},
): Promise<OwnOrganization> {
  const owner = { id: 'owner', name: 'Owner' };
  const { id } = await createOrganization(
    { name: 'Own', identifier: '11222333000181', owner, ...request },
    Date.now(),
  );
  await createApplication('documents', { name: id, permissions: [], registered: { organizations: [id] } });
  return { orgId: id, key: (await issueKey('documents', id)).text };
}
