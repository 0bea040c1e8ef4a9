import {
  type CreateOrganizationRequest,
  createOrganization,
} from '../../../functions/documents/domain/places/organization-roster.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';

type OwnOrganization = { readonly orgId: string; readonly key: string };

/** An organization that no other test uses, and a key that is scoped to it alone. */
export async function ownOrganization(
  given: Partial<CreateOrganizationRequest> = {},
): Promise<OwnOrganization> {
  const owner = { id: 'owner', name: 'Owner' };
  const { id } = await createOrganization(
    { name: 'Own', identifier: '11222333000181', owner, ...given },
    Date.now(),
  );
  await createApplication('documents', { name: id, permissions: [], registered: { organizations: [id] } });
  return { orgId: id, key: (await issueKey('documents', id)).text };
}
