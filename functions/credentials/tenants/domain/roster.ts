import { randomUUID } from 'node:crypto';
import type { Stored } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';
import {
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
export const nameSigners = (
  institute: Stored<Institute>,
  signers: Institute['signers'],
): Promise<Institute> => institutes.change(institute, { signers });

/** Every organization, by id. */
export const eachOrganization = (): AsyncGenerator<Stored<Organization>> =>
  eachItem(organizations, { pk: ORGANIZATIONS_PK });

/** The institutes that register, of all organizations, by name. */
export async function readRegistrars(): Promise<readonly Institute[]> {
  const registering = new Set<string>();
  for await (const { id, kinds } of eachOrganization())
    if (kinds.includes('Registradora')) registering.add(id);
  const found: Institute[] = [];
  for await (const institute of eachInstitute())
    if (registering.has(institute.organizationId)) found.push(institute);
  return found.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Every institute, by id. */
export const eachInstitute = (): AsyncGenerator<Stored<Institute>> =>
  eachItem(institutes, { pk: INSTITUTES_PK });
