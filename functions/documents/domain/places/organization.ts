import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type {
  BillingInformation as Billing,
  OrganizationMail,
} from '../../contract/organization/organizations.ts';
import type { PreferencesRequest } from '../../contract/organization/preferences.ts';
import { errors } from '../../errors.ts';
import { shownId } from '../guids.ts';
import type { Seal } from './seal.ts';

/**
 * An organization that is being deleted takes nothing in. Its contents are deleted in the background; its own item
 * stays for the last invoice.
 */
export const organizationStates = stateMachine({
  Active: { deleted: 'Deleting' },
  Deleting: { emptied: 'Deleted' },
  Deleted: {},
});

/** The recipient of an organization's invoices, as InvoiceClosed carries it. */
export type BillingInformation = z.output<typeof Billing>;

/** Whether participants get mail, and must prove that they can read it before they see a document. */
export type MailOptions = z.output<typeof OrganizationMail>;

/** The owner of documents. A personal organization has no CNPJ. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly owner: { readonly id: string; readonly name: string };
  readonly state: StateOf<typeof organizationStates>;
  readonly createdAtMs: number;
  /** When its deletion was requested. */
  readonly deletedAtMs?: number;
  /** While it is being deleted: the documents whose deletion is already recorded for its webhooks. */
  readonly announcedIds?: readonly string[] | undefined;
  readonly billingInformation?: BillingInformation;
  /** How it presents itself; what is null is as without it. */
  readonly branding?: {
    readonly displayName: string | null;
    readonly color: string | null;
    readonly logoVersion: string | null;
  };
  /** The origins whose pages may show its signing pages in a frame. */
  readonly embedOrigins?: readonly string[];
  readonly mail?: MailOptions;
  /** For the people of its documents; see preferences.ts. */
  readonly preferences?: z.output<typeof PreferencesRequest>;
  /** Seals the documents that people sign electronically. */
  readonly seal?: Seal | undefined;
};

/** The public part of an organization. */
export type OrganizationInfo = Pick<Organization, 'id' | 'name' | 'identifier' | 'owner'>;

/** The public part of an organization, as answers and events show it. */
export const publicPartOf = ({ id, name, identifier, owner }: OrganizationInfo): OrganizationInfo => ({
  id,
  name,
  identifier,
  owner: { id: shownId('owner', owner.id), name: owner.name },
});

export const organizations = collection<Organization, string>({
  service: 'documents',
  name: 'organization',
  id: (organization) => organization.id,
  key: (id) => ({ pk: `ORGANIZATION#${id}`, sk: 'ORGANIZATION' }),
});

const recent = cached<Organization>({
  name: 'documents.organizations',
  read: (id) => organizations.get(id),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

// Every call looks at its organization, which almost never changes. So it is read once in Access:CacheSeconds, but for
// what follows from it: whether mail is sent, and by which seal.
//
//   delete       |--Deleting--|
//   process 1    (drops its copy)  |--404
//   process 2    |--its copy: Active----------------|--reads: 404
//
// Contents that process 2 still creates are deleted by the last check of the deletion (removal/last-check.ts).

/** An organization, deleted or not, as it was within the last Access:CacheSeconds. Not for a change of it. */
export const recentOrganization = (id: string): Promise<Organization | undefined> => recent.get(id);

/** An organization as it is now, deleted or not, in one request with other reads of the process. */
export const readOrganization = (id: string): Promise<Organization | undefined> =>
  readTogether(organizations, id);

/** Makes a change of an organization visible in this process at once. */
export const forgetRecentOrganization = (id: string): void => recent.drop(id);

/** Whether an organization exists for callers: its deletion was not requested. */
export const isActiveOrganization = (organization: Pick<Organization, 'state'> | undefined): boolean =>
  organization !== undefined && organizationStates.accepts(organization.state, 'deleted');

/** The kind under which an operator registers the organizations that an application's keys are scoped to. */
export const ORGANIZATIONS_OF = 'organizations';

type Scope = Pick<Caller, 'registered'>;

const scopeOf = ({ registered }: Scope): readonly string[] => registered[ORGANIZATIONS_OF] ?? [];

export const isInScope = (caller: Scope, organizationId: string): boolean =>
  scopeOf(caller).includes(organizationId);

/** Finds an organization. One outside the key's scope, or deleted, does not exist. */
export async function findOrganization(caller: Scope, id: string): Promise<OrganizationInfo> {
  if (!isInScope(caller, id)) throw organizationNotFound(id);
  return publicPartOf(await requireActiveOrganization(id));
}

/** A recent organization, whatever the caller's scope. A deleted one does not exist. */
export async function requireActiveOrganization(id: string): Promise<Organization> {
  const found = await recentOrganization(id);
  if (found && isActiveOrganization(found)) return found;
  throw organizationNotFound(id);
}

/** The same as it is now. */
export async function requireCurrentOrganization(id: string): Promise<Organization> {
  const found = await readOrganization(id);
  if (found && isActiveOrganization(found)) return found;
  throw organizationNotFound(id);
}

type OrganizationChange = {
  readonly patch: Partial<Pick<Organization, 'branding' | 'embedOrigins' | 'preferences'>>;
  readonly also?: readonly Write[];
};

/** Changes what an organization chooses for itself. Throws RaceLost when somebody else did meanwhile. */
export async function changeOrganization(
  caller: Scope,
  id: string,
  decide: (current: Organization) => Promise<OrganizationChange>,
): Promise<Organization> {
  const current = isInScope(caller, id) ? await organizations.get(id) : undefined;
  if (!current || !isActiveOrganization(current)) throw organizationNotFound(id);
  const { patch, also = [] } = await decide(current);
  try {
    return await organizations.change(current, patch, { also });
  } finally {
    forgetRecentOrganization(id); // Also after a failure: the write may have landed.
  }
}

export const organizationNotFound = (id: string) =>
  errors.refuse('OrganizationNotFound', { resourceName: 'Organization', resourceId: id });

/** The organization of a call that names none: the first of the key's scope. */
export function homeOrganizationOf(caller: Pick<Caller, 'registered' | 'application'>): string {
  const [home] = scopeOf(caller);
  if (home) return home;
  throw errors.refuse('OrganizationRequired', { application: caller.application });
}

/** The same, refused while that organization is deleted. */
export async function requireHomeOrganization(
  caller: Pick<Caller, 'registered' | 'application'>,
): Promise<string> {
  return (await requireActiveOrganization(homeOrganizationOf(caller))).id;
}
