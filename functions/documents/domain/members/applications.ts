import { randomBytes } from 'node:crypto';
import {
  createApplication,
  findApplication,
  issueKey,
  revokeKey,
  setDisabled,
} from '../../../../shared/access/administration.ts';
import { type Application, applications } from '../../../../shared/access/applications.ts';
import type { Caller } from '../../../../shared/access/caller.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import { APPLICATION_ROLES } from '../../contract/organization/applications.ts';
import { errors } from '../../errors.ts';
import { findOrganization, ORGANIZATIONS_OF } from '../places/organization.ts';
import { mayGive, ROLE_OF, roleOf } from './permissions.ts';

type Scope = Pick<Caller, 'registered'>;
type ApplicationRole = (typeof APPLICATION_ROLES)[number];

// Applications are read by their names, which are the beginnings of keys. These are the names of an organization's own:
// those that whoever runs the service made are not its business, and may act for others too.
type Owned = { readonly organizationId: string; readonly id: string };
const owned = collection<Owned, Owned>({
  service: 'documents',
  name: 'application of organization',
  id: (each) => each,
  key: ({ organizationId, id }) => ({ pk: partitionOf(organizationId), sk: id }),
});
const partitionOf = (organizationId: string): string => `ORGANIZATION-APPLICATIONS#${organizationId}`;

const LABEL_OF = 'label';
const MAX_APPLICATIONS = 50;
// An item has 400 KB. A key that was revoked stays in the list, so that it is known when.
const MAX_KEYS = 100;

/** An application as answers show it. */
const render = ({ name: id, disabled, registered, keys }: Application) => ({
  id,
  name: registered[LABEL_OF]?.[0] ?? id,
  role: APPLICATION_ROLES.find((role) => role === registered[ROLE_OF]?.[0]) ?? ('Reader' as const),
  disabled,
  keys: keys.map((key) => ({ id: key.id, issuedDate: key.issuedAt, revokedDate: key.revokedAt ?? null })),
});
export type RenderedApplication = ReturnType<typeof render>;

export async function listOwnApplications(
  caller: Scope,
  organizationId: string,
): Promise<readonly RenderedApplication[]> {
  await findOrganization(caller, organizationId);
  const listed = await firstItems(owned, { pk: partitionOf(organizationId) }, MAX_APPLICATIONS);
  const found = await applications('documents').getMany(listed.map(({ id }) => id));
  return found.map(render).toSorted((one, other) => one.name.localeCompare(other.name));
}

export async function findOwnApplication(
  caller: Scope,
  organizationId: string,
  id: string,
): Promise<RenderedApplication> {
  await findOrganization(caller, organizationId);
  const isOwned = (await owned.get({ organizationId, id })) !== undefined;
  const found = isOwned ? await applications('documents').get(id) : undefined;
  if (found) return render(found);
  throw errors.refuse('ApplicationNotFound', { resourceName: 'Application', resourceId: id });
}

type NewApplication = { readonly name: string; readonly role: ApplicationRole };
type Issued = { readonly application: RenderedApplication; readonly key: string };

/** Makes an application with its first key. */
export async function createOwnApplication(
  caller: Scope,
  organizationId: string,
  { name, role }: NewApplication,
): Promise<Issued> {
  const existing = await listOwnApplications(caller, organizationId);
  // Escalation: a key that could make mightier keys would be the mightiest.
  if (!mayGive(roleOf(caller), role)) throw errors.refuse('Forbidden');
  if (existing.length >= MAX_APPLICATIONS)
    throw errors.refuse('MaxApplicationsLimitReached', { limit: MAX_APPLICATIONS });
  const id = idOf(name);
  // Listed first: one that is in the list and does not exist is not shown, and one that exists is never out of sight.
  await commit([owned.putting({ organizationId, id })]);
  const registered = { [ORGANIZATIONS_OF]: [organizationId], [ROLE_OF]: [role], [LABEL_OF]: [name] };
  await createApplication('documents', { name: id, permissions: [], registered });
  return issueOwnKey(caller, organizationId, id);
}

// Names are of the whole service: with a random end none tells that another organization has the same.
const idOf = (name: string): string => {
  const plain = name.normalize('NFD').replace(/\W+/g, '').toLowerCase().slice(0, 20);
  return `${plain || 'app'}-${randomBytes(6).toString('hex')}`;
};

/** Issues a key, whose text is answered once. */
export async function issueOwnKey(caller: Scope, organizationId: string, id: string): Promise<Issued> {
  const { keys, role } = await findOwnApplication(caller, organizationId, id);
  if (!mayGive(roleOf(caller), role)) throw errors.refuse('Forbidden');
  if (keys.length >= MAX_KEYS) throw errors.refuse('MaxApplicationsLimitReached', { limit: MAX_KEYS });
  const { text } = await issueKey('documents', id);
  return { application: render(await findApplication('documents', id)), key: text };
}

/** Revokes a key. It is refused once the copies of it are, after Access:CacheSeconds. */
export async function revokeOwnKey(
  caller: Scope,
  organizationId: string,
  { id, keyId }: { readonly id: string; readonly keyId: string },
  nowMs: number,
): Promise<void> {
  const { keys } = await findOwnApplication(caller, organizationId, id);
  if (!keys.some((key) => key.id === keyId))
    throw errors.refuse('ApplicationNotFound', { resourceName: 'Key', resourceId: keyId });
  await revokeKey('documents', id, keyId, nowMs);
}

/** Disables an application for good: all its keys are refused, and it leaves the list. */
export async function removeOwnApplication(caller: Scope, organizationId: string, id: string): Promise<void> {
  await findOwnApplication(caller, organizationId, id);
  await setDisabled('documents', id, true);
  await commit([owned.removing({ organizationId, id })]);
}
