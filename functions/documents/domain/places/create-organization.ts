import { randomUUID } from 'node:crypto';
import type { Stored } from '../../../../shared/store/collection.ts';
import { type Organization, organizations } from './organization.ts';
import { enrolling } from './organization-roster.ts';

export type NewOrganization = Pick<Organization, 'name' | 'identifier' | 'owner' | 'billingInformation'> & {
  readonly id?: string;
};

/** Makes an organization. Keys see it once an operator has registered it for their application. */
export function createOrganization(
  { id = randomUUID(), ...asked }: NewOrganization,
  nowMs = Date.now(),
): Promise<Stored<Organization>> {
  const organization: Organization = { ...asked, id, state: 'Active', createdAtMs: nowMs };
  return organizations.create(organization, { also: [enrolling(id)] });
}
