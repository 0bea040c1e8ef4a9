import type { Caller } from '../../../../shared/access/caller.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { errors } from '../../errors.ts';

/** Emissora issues credentials, Registradora registers them. An organization may be both. */
export const ORGANIZATION_KINDS = ['Emissora', 'Registradora'] as const;
export type OrganizationKind = (typeof ORGANIZATION_KINDS)[number];

/** The owner of credentials. Its id is the `subscriptionId` of the events. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly kinds: readonly OrganizationKind[];
  readonly createdAtMs: number;
};

/** A person who signs the files of an institute. */
export type InstituteSigner = {
  readonly name: string;
  readonly cpf: string;
  readonly email: string;
  readonly step: number;
};

/** An institution of higher education (IES). */
export type Institute = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Its code at e-MEC, which begins its verification codes. */
  readonly emecCode: string;
  readonly signers: readonly InstituteSigner[];
  readonly createdAtMs: number;
};

// Few, and read through a cache: one partition each, so that they can be listed.
export const ORGANIZATIONS_PK = 'ORGANIZATIONS';
export const INSTITUTES_PK = 'INSTITUTES';

export const organizations = collection<Organization, string>({
  service: 'credentials',
  name: 'organization',
  id: ({ id }) => id,
  key: (id) => ({ pk: ORGANIZATIONS_PK, sk: `ORGANIZATION#${id}` }),
});

export const institutes = collection<Institute, string>({
  service: 'credentials',
  name: 'institute',
  id: ({ id }) => id,
  key: (id) => ({ pk: INSTITUTES_PK, sk: `INSTITUTE#${id}` }),
});

// An organization never changes once it is created, and one that is unknown is not kept. Its institutes change.
const known = cached<Organization>({
  name: 'credentials.organizations',
  read: (id) => organizations.get(id),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

type Scope = Pick<Caller, 'registered'>;

/** The kind under which an operator registers the organizations that an application's keys are scoped to. */
export const ORGANIZATIONS_OF = 'organizations';
export const isInScope = ({ registered }: Scope, organizationId: string): boolean =>
  registered[ORGANIZATIONS_OF]?.includes(organizationId) ?? false;

/** An organization, whatever the caller's scope. */
export const readOrganization = (id: string): Promise<Organization | undefined> => known.get(id);

/** An organization of the key's scope. Any other does not exist. */
export async function requireOrganization(caller: Scope, id: string): Promise<Organization> {
  const found = isInScope(caller, id) ? await known.get(id) : undefined;
  if (found) return found;
  throw subscriptionNotFound(id);
}

export const subscriptionNotFound = (id: string) =>
  errors.refuse('SubscriptionNotFound', { resourceName: 'Subscription', resourceId: id });

/** The organization of a caller that names none: the first of the key's scope. */
export function homeOrganizationOf({
  registered,
  application,
}: Pick<Caller, 'registered' | 'application'>): string {
  const [home] = registered[ORGANIZATIONS_OF] ?? [];
  if (home) return home;
  throw errors.refuse('OrganizationRequired', { application });
}

/** An institute of an organization of the key's scope. */
export async function requireInstitute(caller: Scope, id: string): Promise<Institute> {
  const found = await readInstitute(id);
  if (found && isInScope(caller, found.organizationId)) return found;
  throw instituteNotFound(id);
}

export const instituteNotFound = (id: string) =>
  errors.refuse('InstituteNotFound', { resourceName: 'Institute', resourceId: id });

/** An institute whatever the caller's scope, for our own work and for the other side of a registration. */
export const readInstitute = (id: string): Promise<Institute | undefined> => readTogether(institutes, id);

/** Refuses an organization that is not of this kind. */
export async function requireKind(organizationId: string, kind: OrganizationKind): Promise<void> {
  const found = await known.get(organizationId);
  if (!found?.kinds.includes(kind))
    throw errors.refuse('OrganizationKindMismatch', { kind, kinds: found?.kinds ?? [] });
}

/** The institute of a registrar, whatever the caller's scope: the other side of an emission. */
export async function requireRegistrar(id: string): Promise<Institute> {
  const found = await readInstitute(id);
  const organization = found && (await known.get(found.organizationId));
  if (found && organization?.kinds.includes('Registradora')) return found;
  throw errors.refuse('RegistrarNotFound', { registrarInstituteId: id });
}

/** An institute of the key's scope whose organization is of this kind, and that names the people who sign. */
export async function requireSigning(caller: Scope, id: string, kind: OrganizationKind): Promise<Institute> {
  const institute = await requireInstitute(caller, id);
  await requireKind(institute.organizationId, kind);
  if (institute.signers.length === 0) throw errors.refuse('SignersRequired', { instituteId: id });
  return institute;
}
