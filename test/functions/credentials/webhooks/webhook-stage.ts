import { randomUUID } from 'node:crypto';
import { beforeEach, vi } from 'vitest';
import {
  changingItem,
  commitChanges,
  creatingItem,
  updatingItem,
} from '../../../../functions/credentials/flows/domain/change-item.ts';
import type { Item } from '../../../../functions/credentials/items/domain/item.ts';
import { KINDS, type KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { webhooks } from '../../../../functions/credentials/webhooks/domain/engine.ts';
import { handler as setInstitute } from '../../../../functions/credentials/webhooks/endpoints/set-institute-integration.ts';
import { handler as setSubscription } from '../../../../functions/credentials/webhooks/endpoints/set-subscription-integration.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Delivery } from '../../../../shared/webhooks/deliveries/delivery.ts';
import { listDeliveries } from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import type { WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { call } from '../../../requests/http-event.ts';
import type { Receiver } from '../../../shared/webhooks/a-receiver.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { stored } from '../items/own-items.ts';
import { ownTenant, type Tenant } from '../items/own-tenant.ts';
import { DATA } from './sample-data.ts';

type Answer = ReturnType<typeof call>;
type Sent = { readonly type: string; readonly data: Record<string, unknown> };

/** What a receiver got, in its order. */
export const sentTo = ({ received }: Receiver): Sent[] =>
  received.map(({ body }) => JSON.parse(body) as Sent);
export const typesSentTo = (receiver: Receiver): string[] => sentTo(receiver).map(({ type }) => type);

/** For each test an organization with an institute of its own, and the key of its administrator. */
export function webhookStage() {
  const stage = {
    tenant: undefined as unknown as Tenant,
    headers: {} as Record<string, string>,
    /** So much later than now deliveries are made. */
    laterMs: 0,
    organizationId: (): string => stage.tenant.organizationId,
    instituteId: (): string => stage.tenant.institute.id,

    /** Sets the webhook of the organization, as its administrator does. */
    set: (body: object): Answer =>
      call(setSubscription, {
        ...{ params: { id: stage.organizationId() }, headers: stage.headers, json: body },
      }),
    setInstitute: (body: object): Answer =>
      call(setInstitute, { params: { id: stage.instituteId() }, headers: stage.headers, json: body }),
    /** Enables a webhook to a receiver, without authentication. */
    sendTo: ({ url }: Pick<Receiver, 'url'>): Answer => stage.set({ enabled: true, url, authType: 'NoAuth' }),

    async create(kind: KindName, data: object = {}, tenant?: Tenant): Promise<Stored<Item>> {
      const { organizationId, institute } = tenant ?? stage.tenant;
      const change = await creatingItem<object>(
        {
          ...{ kind, id: randomUUID(), organizationId, instituteId: institute.id, files: [] },
          searchable: { text: kind, course: null },
          data: { ...DATA[kind], ...data },
        },
        Date.now(),
      );
      await commitChanges([change]);
      return change.after;
    },
    /** Moves an item by an event of its table, with a reason. */
    async move(item: Item, event: string, patch: object = {}): Promise<Stored<Item>> {
      const change = await changingItem(await stored(item), { event, patch }, Date.now());
      await commitChanges([change]);
      return change.after;
    },
    /** The registrar's action on the request of an emission. */
    async moveRegistration(item: Item, event: string, data: object): Promise<Stored<Item>> {
      const current = await stored<object>(item);
      const patch = { data: { ...current.data, ...data } };
      const other = { family: 'EmissionRegistration', event };
      const change = await updatingItem(current, { patch, other }, Date.now());
      await commitChanges([change]);
      return change.after;
    },

    webhookId: async (owner?: string): Promise<string> =>
      (await listWebhooks(webhooks, owner ?? stage.organizationId()))[0]?.id ?? '',
    engine: (more: Partial<WebhookEngine> = {}): WebhookEngine => ({
      ...webhooks,
      now: () => Date.now() + stage.laterMs,
      random: () => 0,
      ...more,
    }),
    /** Makes the attempts that are due, as the worker does. */
    async deliver(of?: string, webhookId?: string, engine?: WebhookEngine): Promise<void> {
      const owner = of ?? stage.organizationId();
      await deliverDue(engine ?? stage.engine(), webhookId ?? (await stage.webhookId(owner)));
    },
    async deliveries(webhookId: string): Promise<readonly Delivery[]> {
      const page = await listDeliveries(webhooks, webhookId, { limit: 1_000 });
      if ('refused' in page) throw new Error(page.refused);
      return page.items.toReversed();
    },
  };

  beforeEach(async () => {
    vi.unstubAllEnvs();
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
    stage.laterMs = 0;
    stage.tenant = await ownTenant();
    stage.headers = await administratorOf(stage.tenant);
  });
  return stage;
}

/** The headers of a key with the permission to configure the organization. */
export async function administratorOf({ organizationId }: Tenant): Promise<Record<string, string>> {
  const name = randomUUID();
  const registered = { organizations: [organizationId] };
  await createApplication('credentials', { name, permissions: ['Administrador'], registered });
  return { 'X-API-Key': (await issueKey('credentials', name)).text };
}

/** The kinds of an organization's webhook, and those of an institute's. */
export const kindsOf = (owner: 'organization' | 'institute'): KindName[] =>
  (Object.keys(KINDS) as KindName[]).filter((kind) => KINDS[kind].owner === owner);
