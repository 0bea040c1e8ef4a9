import { addMember } from '../../../functions/documents/domain/members/members.ts';
import { readMembers } from '../../../functions/documents/domain/members/roster.ts';
import { creatingFolder } from '../../../functions/documents/domain/places/create-folder.ts';
import { folders } from '../../../functions/documents/domain/places/folder.ts';
import { organizations } from '../../../functions/documents/domain/places/organization.ts';
import {
  type CreateOrganizationRequest,
  createOrganization,
} from '../../../functions/documents/domain/places/organization-roster.ts';
import {
  CREDENTIALS_KEY,
  CREDENTIALS_ORGANIZATION_ID,
  GUEST_KEY,
  ORGANIZATION_ID,
  PERSONAL_ORGANIZATION_ID,
  REFUSED_KEYS,
  registeredFor,
  SANDBOX_KEY,
  SIGNER_FOLDER_ID,
  sandboxSigner,
} from '../../../functions/sandbox/sandbox-data.ts';
import { putApplication, registerValue, unregisterValue } from '../../../shared/access/administration.ts';
import {
  type ApiKey,
  type Application,
  applications,
  keyFromText,
} from '../../../shared/access/applications.ts';
import { Refusal } from '../../../shared/errors/errors.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import { SERVICES, type ServiceName } from '../../../shared/settings/names.ts';
import { commit } from '../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../shared/store/refusals.ts';
import { seedAuthority } from './authority.ts';
import { seedCredentials, seedSignerWebhook } from './credentials.ts';
import { seedProfiles } from './profiles.ts';
import { seedProviders } from './providers.ts';
import { seedSeal } from './seal.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

/**
 * Seeds the sandbox's applications, organizations, folder, certification authority, profiles, providers and universities.
 * Safe to repeat.
 */
export async function seedSandbox(): Promise<void> {
  const seededOrganizations = Promise.all(sandboxOrganizations().map(seedOrganization));
  const seededAuthority = seedAuthority();
  await Promise.all([
    ...SERVICES.flatMap((service) =>
      sandboxApplications(service).map((application) => seedApplication(service, application)),
    ),
    seededOrganizations.then(seedSignerFolder),
    seededOrganizations.then(async () => seedSeal(await seededAuthority)),
    seededOrganizations.then(() =>
      Promise.all([seedOwner(ORGANIZATION_ID), seedOwner(PERSONAL_ORGANIZATION_ID)]),
    ),
    seedCredentials(),
    seedSignerWebhook(),
    seededAuthority.then(seedProfiles),
    seedProviders(),
  ]);
}

// Changes of an operator (a key revoked, one issued) outlive a restart. Only the registered addresses follow the engine's
// address.
async function seedApplication(service: ServiceName, application: Application): Promise<void> {
  const current = await applications(service).get(application.name);
  if (!current) return putApplication(service, application);
  for (const [kind, values] of Object.entries(application.registered)) {
    for (const value of values) {
      if (!current.registered[kind]?.includes(value))
        await registerValue(service, application.name, kind, value);
    }
  }
  // An earlier release registered the organizations of the document platform at every service.
  if (service === 'credentials' && current.registered.organizations?.includes(ORGANIZATION_ID))
    for (const value of [ORGANIZATION_ID, PERSONAL_ORGANIZATION_ID])
      await unregisterValue(service, application.name, 'organizations', value);
}

// A deleted organization stays deleted. Two engines that start on one store may both find none.
async function seedOrganization(
  organization: CreateOrganizationRequest & { readonly id: string },
): Promise<void> {
  const found = await organizations.get(organization.id);
  if (found?.state) return;
  // A data folder of the first release keeps organizations without a state.
  if (found) await organizations.delete(found);
  await createOrganization(organization, Date.now()).catch(ifThrown(AlreadyExists));
}

// Members that somebody invited or removed stay so: only an organization without any gets its owner.
async function seedOwner(organizationId: string): Promise<void> {
  if ((await readMembers(organizationId)).length > 0) return;
  const { name, cpf, email } = sandboxSigner('52998224725', 1);
  const owner = { name, cpf, email, role: 'Owner' } as const;
  const caller = { registered: { organizations: [organizationId] } };
  await addMember(caller, organizationId, owner, Date.now()).catch(ifThrown(Refusal));
}

// A deleted folder stays deleted while its item does, and comes back with the next start.
async function seedSignerFolder(): Promise<void> {
  if (await folders.get(SIGNER_FOLDER_ID)) return;
  const request = { id: SIGNER_FOLDER_ID, name: 'Signer folder', parent: null };
  const { writes } = await creatingFolder({ ...request, organizationId: ORGANIZATION_ID }, Date.now());
  await commit(writes).catch(ifThrown(AlreadyExists));
}

function sandboxApplications(service: ServiceName): Application[] {
  const registered = registeredFor(service, commonSettings['Http:PublicUrl']);
  const [revoked = '', expired = '', disabled = ''] = REFUSED_KEYS;
  return [
    { ...application(SANDBOX_KEY), permissions: ['*'], registered },
    application(GUEST_KEY),
    ...(service === 'documents' ? [credentialsApplication()] : []),
    application(revoked, { revokedAt: LONG_AGO }),
    application(expired, { expiresAt: LONG_AGO }),
    { ...application(disabled), disabled: true },
  ];
}

const credentialsApplication = (): Application => ({
  ...application(CREDENTIALS_KEY),
  registered: { organizations: [CREDENTIALS_ORGANIZATION_ID] },
});

function application(keyText: string, key: Partial<ApiKey> = {}): Application {
  const name = keyText.slice(0, keyText.indexOf('|'));
  // The id is fixed, so that seeding again changes nothing.
  const only = { ...keyFromText(keyText, { now: Date.parse(LONG_AGO) }), id: `${name}-key`, ...key };
  return { name, disabled: false, permissions: [], registered: {}, keys: [only] };
}

export const sandboxOrganizations = () => [
  {
    id: ORGANIZATION_ID,
    name: 'Sandbox Organization',
    identifier: '11222333000181',
    owner: { id: 'sandbox-owner', name: 'SANDBOX HOLDER 52998224725' },
  },
  {
    id: PERSONAL_ORGANIZATION_ID,
    name: 'SANDBOX HOLDER 52998224725',
    identifier: null,
    owner: { id: 'sandbox-owner', name: 'SANDBOX HOLDER 52998224725' },
  },
  {
    id: CREDENTIALS_ORGANIZATION_ID,
    name: 'Sandbox Credentials',
    identifier: '11222333000181',
    owner: { id: 'sandbox-owner', name: 'SANDBOX HOLDER 52998224725' },
  },
];
