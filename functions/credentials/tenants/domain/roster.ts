import { randomUUID } from 'node:crypto';
import type { Collection, Stored } from '../../../../shared/store/collection.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import {
  forgetTenant,
  INSTITUTES_PK,
  type Institute,
  institutes,
  ORGANIZATIONS_PK,
  type Organization,
  organizations,
} from './organization.ts';

/** Creates an organization. Keys see it once an operator has registered it for their application. */
export const createOrganization = (
  request: Pick<Organization, 'name' | 'kinds'>,
  nowMs: number,
): Promise<Stored<Organization>> =>
  organizations.create({ id: randomUUID(), ...request, createdAtMs: nowMs });

/** Creates an institute of an organization. */
export const createInstitute = (
  request: Pick<Institute, 'organizationId' | 'name' | 'emecCode' | 'signers'>,
  nowMs: number,
): Promise<Stored<Institute>> => institutes.create({ id: randomUUID(), ...request, createdAtMs: nowMs });

/** Has other people sign the files that are handed over from now on. */
export async function nameSigners(
  institute: Stored<Institute>,
  signers: Institute['signers'],
): Promise<Institute> {
  const changed = await institutes.change(institute, { signers });
  forgetTenant(institute.id);
  return changed;
}

/** Every organization, by id. */
export const eachOrganization = (): AsyncGenerator<Stored<Organization>> =>
  eachOf(organizations, ORGANIZATIONS_PK);

/** Every institute, by id. */
export const eachInstitute = (): AsyncGenerator<Stored<Institute>> => eachOf(institutes, INSTITUTES_PK);

const READ_AT_ONCE = 100;

async function* eachOf<T extends object>(
  items: Collection<T, string>,
  pk: string,
): AsyncGenerator<Stored<T>> {
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(items, { pk, limit: READ_AT_ONCE, ...(cursor && { cursor }) });
    if ('refused' in page) return;
    yield* page.items;
    cursor = page.next;
  } while (cursor);
}
