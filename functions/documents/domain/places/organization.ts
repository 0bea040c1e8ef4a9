import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';

/** Who an organization's invoices are made out to, as InvoiceClosed carries it. */
export type BillingInformation = {
  readonly contactName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly type: 'Individual' | 'Company';
  readonly individual: { readonly name: string; readonly identifier: string } | null;
  readonly company: {
    readonly name: string;
    readonly identifier: string;
    readonly stateRegistration: string | null;
    readonly stateRegistrationExempt: boolean;
    readonly municipalRegistration: string | null;
    readonly municipalRegistrationExempt: boolean;
  } | null;
  readonly streetAddress: string | null;
  readonly addressNumber: string | null;
  readonly additionalAddressInfo: string | null;
  readonly neighborhood: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
  readonly state: string | null;
  /** The city's number at IBGE. */
  readonly cityCode: string | null;
};

/** One that is being deleted takes nothing in any more; what it holds goes in the background. What stays is its name, for the last invoice. */
export const organizationStates = stateMachine({
  Active: { deleted: 'Deleting' },
  Deleting: { emptied: 'Deleted' },
  Deleted: {},
});

/** Who documents belong to. A personal one has no CNPJ. */
export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly owner: { readonly id: string; readonly name: string };
  readonly state: StateOf<typeof organizationStates>;
  readonly createdAtMs: number;
  /** When its deletion was asked for. */
  readonly deletedAtMs?: number;
  /** While it is being deleted: the documents whose deletion was told of. */
  readonly announcedIds?: readonly string[] | undefined;
  readonly billingInformation?: BillingInformation;
};

/** What others are told of an organization. */
export type OrganizationInfo = Pick<Organization, 'id' | 'name' | 'identifier' | 'owner'>;

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

export const isInScope = (organizationId: string, caller: Pick<Caller, 'registered'>): boolean =>
  scopeOf(caller).includes(organizationId);

/** An organization outside the key's scope, or one that is deleted, is one that does not exist. */
export async function findOrganization(
  id: string,
  caller: Pick<Caller, 'registered'>,
): Promise<OrganizationInfo> {
  if (!isInScope(id, caller)) throw organizationNotFound(id);
  const { name, identifier, owner } = await requireActiveOrganization(id);
  return { id, name, identifier, owner };
}

/** The organization itself, whoever asks. One that is deleted is one that does not exist. */
export async function requireActiveOrganization(id: string): Promise<Stored<Organization>> {
  const found = await organizations.get(id);
  if (found?.state === 'Active') return found;
  throw organizationNotFound(id);
}

export const organizationNotFound = (id: string) =>
  errors.refuse('OrganizationNotFound', { resourceName: 'Organization', resourceId: id });

/** Where a key's work goes when the call names no organization: the first of its scope. */
export function homeOrganizationOf(caller: Pick<Caller, 'registered' | 'application'>): string {
  const [home] = scopeOf(caller);
  if (home) return home;
  throw errors.refuse('OrganizationRequired', { application: caller.application });
}

/** The same, where it is there to take something in. */
export async function requireHomeOrganization(
  caller: Pick<Caller, 'registered' | 'application'>,
): Promise<string> {
  return (await requireActiveOrganization(homeOrganizationOf(caller))).id;
}
