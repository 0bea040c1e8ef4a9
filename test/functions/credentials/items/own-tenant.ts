import { randomUUID } from 'node:crypto';
import {
  type Institute,
  institutes,
  type Organization,
  organizations,
} from '../../../../functions/credentials/tenants/domain/organization.ts';
import { webhooks } from '../../../../functions/credentials/webhooks/domain/engine.ts';
import { integrations } from '../../../../functions/credentials/webhooks/domain/integrations.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Caller } from '../../../../shared/access/caller.ts';
import { registrationsOf } from '../../../../shared/webhooks/registrations/lookup.ts';
import { everyItem } from '../../../stores/whole-table.ts';

export const SIGNERS = [
  { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 },
  { name: 'Bruno Lima', cpf: '47363361886', email: 'bruno@sandbox.example', step: 2 },
] as const;

export type Tenant = {
  readonly organizationId: string;
  readonly institute: Institute;
  readonly caller: Caller;
};

type InstituteOptions = Partial<Pick<Institute, 'name' | 'signers' | 'emecCode'>>;
type Kinds = Organization['kinds'];

/** An organization of a test's own with one institute, and a caller whose key is scoped to it alone. */
export async function ownTenant({
  kinds,
  ...options
}: InstituteOptions & { readonly kinds?: Kinds } = {}): Promise<Tenant> {
  const organizationId = await ownOrganization(kinds);
  return {
    organizationId,
    institute: await ownInstitute(organizationId, options),
    caller: callerOf([organizationId]),
  };
}

/** One that issues and registers, or is of these kinds. Answers its id. */
export async function ownOrganization(kinds: Kinds = ['Emissora', 'Registradora']): Promise<string> {
  const id = randomUUID();
  await organizations.create({ id, name: 'Own', kinds, createdAtMs: 1 });
  return id;
}

export const ownInstitute = (organizationId: string, options: InstituteOptions = {}): Promise<Institute> =>
  institutes.create({
    ...{ id: randomUUID(), organizationId, name: 'Universidade Própria', emecCode: '1234' },
    ...{ signers: SIGNERS, createdAtMs: 1, ...options },
  });

/** A caller whose key is scoped to these organizations. */
export const callerOf = (ids: readonly string[]): Caller => ({
  ...{ application: 'own', keyId: 'own', permissions: [], registered: { organizations: ids } },
});

/** The headers of a key that is scoped to the organization, whose id is the name of its application. */
export const keyOf = ({ organizationId }: Pick<Tenant, 'organizationId'>): Promise<Record<string, string>> =>
  keyFor([organizationId], organizationId);

/** The headers of a key that is scoped to these organizations, of an application of its own. */
export async function keyFor(
  ids: readonly string[],
  name: string = randomUUID(),
): Promise<Record<string, string>> {
  await createApplication('credentials', { name, permissions: [], registered: { organizations: ids } });
  return { 'X-API-Key': (await issueKey('credentials', name)).text };
}

/** Enables a webhook. Nobody answers at its address, so that its events stay recorded, unless another one is given. */
export async function registerSilentWebhook(ownerId: string, url = 'http://127.0.0.1:9/'): Promise<void> {
  const webhook = {
    id: randomUUID(),
    owner: ownerId,
    url,
    authType: 'NoAuth',
  } as const;
  await registrationsOf(webhooks).create({
    owner: ownerId,
    webhooks: [{ ...webhook, token: '', createdAtMs: 1 }],
  });
  await integrations.create({
    ...{ ownerId, enabled: true, shouldUseSubscriptionWebhookSettings: false, url: null, authType: null },
  });
}

/** The events that are recorded for the webhook of an owner, in their order, each with its delivery. */
export async function recordedTypes(ownerId: string): Promise<string[]> {
  const rows = await everyItem('credentials');
  const delivered = new Set(rows.map(({ eventId }) => eventId?.S));
  return rows
    .filter(({ sk, owner, id }) => sk?.S === 'EVENT' && owner?.S === ownerId && delivered.has(id?.S))
    .sort((a, b) => ((a.pk?.S ?? '') < (b.pk?.S ?? '') ? -1 : 1))
    .map(({ type }) => type?.S ?? '');
}
