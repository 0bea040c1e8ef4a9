import { memberChanges } from '../../../functions/credentials/tenants/domain/members/members.ts';
import { memberRoster } from '../../../functions/credentials/tenants/domain/members/sessions.ts';
import {
  type Institute,
  institutes,
  type Organization,
  organizations,
} from '../../../functions/credentials/tenants/domain/organization.ts';
import { webhooks as engine } from '../../../functions/documents/domain/document/webhook-engine.ts';
import {
  CREDENTIALS_ORGANIZATION_ID,
  INSTITUTE_ID,
  REGISTRAR_ID,
  REGISTRAR_INSTITUTE_ID,
  SANDBOX_KEY,
  sandboxSigner,
  UNIVERSITY_ID,
} from '../../../functions/sandbox/sandbox-data.ts';
import { Refusal } from '../../../shared/errors/errors.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import type { Collection } from '../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { credentialsOf, sealCredentials } from '../../../shared/webhooks/registrations/credentials.ts';
import { registrationsOf } from '../../../shared/webhooks/registrations/lookup.ts';

const SIGNERS = [sandboxSigner('52998224725', 1), sandboxSigner('47363361886', 2)];

export const UNIVERSITIES: readonly Omit<Organization, 'createdAtMs'>[] = [
  { id: UNIVERSITY_ID, name: 'Sandbox University', kinds: ['Emissora', 'Registradora'] },
  { id: REGISTRAR_ID, name: 'Sandbox Registrar', kinds: ['Registradora'] },
];

export const INSTITUTES: readonly Omit<Institute, 'createdAtMs' | 'signers'>[] = [
  { id: INSTITUTE_ID, organizationId: UNIVERSITY_ID, name: 'Universidade Exemplo', emecCode: '1234' },
  {
    id: REGISTRAR_INSTITUTE_ID,
    organizationId: REGISTRAR_ID,
    name: 'Universidade Registradora',
    emecCode: '567',
  },
];

/** Seeds the universities of the credential platform, their institutes and an administrator. Changes of an operator stay. */
export async function seedCredentials(): Promise<void> {
  const createdAtMs = Date.now();
  await Promise.all([
    ...UNIVERSITIES.map((each) => createOnce(organizations, { ...each, createdAtMs })),
    ...INSTITUTES.map((each) => createOnce(institutes, { ...each, signers: SIGNERS, createdAtMs })),
  ]);
  await Promise.all(UNIVERSITIES.map(({ id }) => seedAdministrator(id)));
}

// Members that somebody invited or removed stay so: only an organization without any gets its administrator.
async function seedAdministrator(organizationId: string): Promise<void> {
  if ((await memberRoster.readMembers(organizationId)).length > 0) return;
  const { name, cpf, email } = sandboxSigner('52998224725', 1);
  const administrator = { name, cpf, email, role: 'Administrador' } as const;
  const caller = { registered: { organizations: [organizationId] } };
  // Another engine that starts on the same store makes the same.
  await memberChanges.addMember(caller, organizationId, administrator, Date.now()).catch(ifThrown(Refusal));
}

async function createOnce<T extends { readonly id: string }>(items: Collection<T, string>, item: T) {
  if (await items.get(item.id)) return;
  await items.create(item).catch(ifThrown(AlreadyExists));
}

const WEBHOOK_ID = 'sandbox-credentials';

/**
 * Seeds the webhook by which the document platform tells the credential platform what was signed. One that an operator
 * deleted stays deleted; its address follows the engine's.
 */
export async function seedSignerWebhook(): Promise<void> {
  const owner = CREDENTIALS_ORGANIZATION_ID;
  const url = `${commonSettings['Http:PublicUrl']}/credentials/api/degrees/webhook`;
  const fields = { id: WEBHOOK_ID, owner, url, authType: 'ApiKey', token: SANDBOX_KEY } as const;
  const webhook = await sealCredentials(engine, { ...fields, createdAtMs: Date.now() });
  const registrations = registrationsOf(engine);
  const known = await registrations.get(owner);
  const seeded = known?.webhooks.find(({ id }) => id === WEBHOOK_ID);
  // The engine may have another address than last time, or another sealing key than its store.
  if (known && (!seeded || (seeded.url === url && 'plain' in (await credentialsOf(engine, seeded))))) return;
  const others = known?.webhooks.filter((each) => each !== seeded) ?? [];
  const webhooks = [webhook, ...others];
  const written = known
    ? registrations.change(known, { webhooks })
    : registrations.create({ owner, webhooks });
  // Another engine that starts on the same store writes the same.
  await written.catch(ifThrown([AlreadyExists, RaceLost]));
}
