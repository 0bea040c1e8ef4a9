import type { Caller } from '../../../shared/access/caller.ts';
import { collection } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';

/** Who documents belong to. A personal one has no CNPJ. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly owner: { readonly id: string; readonly name: string };
};

export const organizations = collection<Organization, string>({
  service: 'documents',
  name: 'organization',
  id: (organization) => organization.id,
  key: (id) => ({ pk: `ORGANIZATION#${id}`, sk: 'ORGANIZATION' }),
});

/** What an operator registered for an application: the organizations that its keys are scoped to. */
export const ORGANIZATIONS_OF = 'organizations';

const scopeOf = ({ registered }: Pick<Caller, 'registered'>): readonly string[] =>
  registered[ORGANIZATIONS_OF] ?? [];

/** An organization outside the key's scope is one that does not exist. */
export async function findOrganization(
  id: string,
  caller: Pick<Caller, 'registered'>,
): Promise<Organization> {
  const found = scopeOf(caller).includes(id) ? await organizations.get(id) : undefined;
  if (!found) throw errors.refuse('OrganizationNotFound', { resourceName: 'Organization', resourceId: id });
  const { name, identifier, owner } = found;
  return { id, name, identifier, owner };
}

/** Where a key's work goes when the call names no organization: the first of its scope. */
export function homeOrganization(caller: Pick<Caller, 'registered' | 'application'>): string {
  const [home] = scopeOf(caller);
  if (home) return home;
  throw errors.refuse('OrganizationRequired', { application: caller.application });
}
