import { randomUUID } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Organization, organizations } from './organization.ts';

// Organizations are found by id, one by one; this is the list of the ids there are.
const roster = collection<{ readonly id: string }, string>({
  service: 'documents',
  name: 'organization id',
  id: ({ id }) => id,
  key: (id) => ({ pk: ROSTER, sk: id }),
});
const ROSTER = 'ORGANIZATIONS';
const READ_AT_ONCE = 100;

/** Puts an organization on the list, with the write that makes it. */
export const enrolling = (id: string): Write => roster.putting({ id });

/**
 * Every organization there is or was, by id. A deleted one is still there with its `deletedAtMs`: what it used
 * in its last month is yet to be invoiced.
 */
export async function* eachOrganization(): AsyncGenerator<Stored<Organization>> {
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(roster, { pk: ROSTER, limit: READ_AT_ONCE, ...(cursor && { cursor }) });
    if ('refused' in page) return;
    yield* await organizations.getMany(page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor);
}

export type CreateOrganizationRequest = Pick<
  Organization,
  'name' | 'identifier' | 'owner' | 'billingInformation'
> & {
  readonly id?: string;
};

/** Makes an organization. Keys see it once an operator has registered it for their application. */
export function createOrganization(
  { id = randomUUID(), ...asked }: CreateOrganizationRequest,
  nowMs = Date.now(),
): Promise<Stored<Organization>> {
  const organization: Organization = { ...asked, id, state: 'Active', createdAtMs: nowMs };
  return organizations.create(organization, { also: [enrolling(id)] });
}
