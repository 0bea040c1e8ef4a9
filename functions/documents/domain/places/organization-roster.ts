import { randomUUID } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { pagesOf } from '../../../../shared/store/cursor.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Organization, organizations } from './organization.ts';

// Organizations are read by id, one by one. The roster lists the ids that exist.
const roster = collection<{ readonly id: string }, string>({
  service: 'documents',
  name: 'organization id',
  id: ({ id }) => id,
  key: (id) => ({ pk: ROSTER, sk: id }),
});
const ROSTER = 'ORGANIZATIONS';
const READ_AT_ONCE = 100;

/** The write that adds an organization to the roster. */
export const enrolling = (id: string): Write => roster.putting({ id });

export type CreateOrganizationRequest = Pick<
  Organization,
  'name' | 'identifier' | 'owner' | 'billingInformation'
> & { readonly id?: string };

/** Creates an organization. Keys see it once an operator has registered it for their application. */
export async function createOrganization(
  { id = randomUUID(), ...request }: CreateOrganizationRequest,
  nowMs: number,
): Promise<Stored<Organization>> {
  const organization: Organization = { ...request, id, state: 'Active', createdAtMs: nowMs };
  return organizations.create(organization, { also: [enrolling(id), ...(await keepingAnswer({ id }))] });
}

/**
 * Every organization that exists or existed, by id. A deleted one is included with its `deletedAtMs`, because its
 * last month is still to be invoiced.
 */
export async function* eachOrganization(): AsyncGenerator<Stored<Organization>> {
  for await (const page of pagesOf(roster, { pk: ROSTER }, READ_AT_ONCE))
    yield* await organizations.getMany(page.map(({ id }) => id));
}
