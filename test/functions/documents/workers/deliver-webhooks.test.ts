import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { INSTANCE_OWNER, webhooks } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { settings } from '../../../../functions/documents/settings.ts';
import { handler as deliverSlow } from '../../../../functions/documents/workers/deliver-slow-webhooks.ts';
import { handler as deliver } from '../../../../functions/documents/workers/deliver-webhooks.ts';
import { toRecord } from '../../../../infra/runtime/events/lambda-batch.ts';
import { MANUAL } from '../../../../shared/settings/settings.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { listDeliveries } from '../../../../shared/webhooks/deliveries/list-deliveries.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { addWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';

const receiver = receiversOfATest();
beforeEach(() => {
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const batch = (...bodies: unknown[]): SQSEvent => ({
  Records: bodies.map((body) => toRecord({ MessageId: randomUUID(), Body: JSON.stringify(body) }, '')),
});

const happen = async (owner: string) => {
  const { writes, eventIds } = await recording(webhooks, owner, [{ type: 'DocumentSigned', data: {} }]);
  await commit(writes);
  return eventIds;
};
const register = async (owner: string, url: string) => {
  const added = await addWebhook(webhooks, owner, { url, authType: 'NoAuth' });
  if ('refused' in added) throw new Error(added.message);
  return added.id;
};

describe('the webhooks of an organization', () => {
  test.each([
    ['quick', deliver],
    ['slow', deliverSlow],
  ])(
    'are told what happened when the messages of their deliveries come, among the %s',
    async (_, handler) => {
      const inbox = await receiver();
      const owner = randomUUID();
      const webhookIds = [await register(owner, inbox.url), await register(owner, inbox.url)];
      const [eventId] = await happen(owner);
      const messages = webhookIds.map((webhookId) => ({ owner, webhookId, eventId, attempt: 1 }));
      expect(await handler(batch(...messages))).toEqual({ batchItemFailures: [] });
      expect(inbox.ids()).toEqual([eventId, eventId]);
    },
  );

  test('are called at most as often, as long and at once as the settings say', async () => {
    vi.stubEnv('Webhooks__MaxAttempts', '3');
    vi.stubEnv('Webhooks__RetryFactor', '50');
    vi.stubEnv('MaxWebhooksPerOrganization', '1');
    expect(webhooks.policy()).toMatchObject({ maxAttempts: 3, retryFactor: 0.5, maxPerOwner: 1 });
    const owner = randomUUID();
    await register(owner, 'http://127.0.0.1:9/');
    await expect(register(owner, 'http://127.0.0.1:9/')).rejects.toThrow(/which is the limit/);
  });
});

describe('the billing webhook of the instance', () => {
  test('comes from the settings and is told with its token', async () => {
    const inbox = await receiver();
    vi.stubEnv('Webhooks__Billing__Url', `${inbox.url}/invoices/`);
    vi.stubEnv('Webhooks__Billing__AuthType', 'ApiKey');
    vi.stubEnv('Webhooks__Billing__Token', 'billing|key');
    const [eventId = ''] = await happen(INSTANCE_OWNER);
    await deliver(batch({ owner: INSTANCE_OWNER, webhookId: 'billing', eventId, attempt: 1 }));
    expect(inbox.received.find(({ headers }) => headers['webhook-id'] === eventId)).toMatchObject({
      path: '/invoices/',
      headers: { 'x-api-key': 'billing|key' },
    });
    const page = await listDeliveries(webhooks, 'billing', { state: 'Pending', limit: 10 });
    expect(page).toMatchObject({ items: [] });
  });

  test('is none while no address is set', async () => {
    expect(await listWebhooks(webhooks, INSTANCE_OWNER)).toEqual([]);
  });
});

describe('Webhooks:AllowPrivateNetworks', () => {
  test('opens private machines on the local stage', () => {
    expect(webhooks.policy().allowPrivateNetworks).toBe(true);
    expect(() => settings[MANUAL].check()).not.toThrow();
  });

  test('stops a deployed stage at its start, and would open nothing there', () => {
    vi.stubEnv('STAGE', 'prod');
    vi.stubEnv('Certificates__TrustAnchors', 'trust/roots.pem');
    expect(() => settings[MANUAL].check()).toThrow(
      /Webhooks:AllowPrivateNetworks is for the local stage only/,
    );
    expect(webhooks.policy().allowPrivateNetworks).toEqual([]);
  });
});

describe('Webhooks:AllowedNetworks', () => {
  test('opens these networks on a deployed stage', () => {
    vi.stubEnv('STAGE', 'prod');
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
    vi.stubEnv('Webhooks__AllowedNetworks', '10.20.0.0/16, fd12::7');
    expect(webhooks.policy().allowPrivateNetworks).toEqual(['10.20.0.0/16', 'fd12::7']);
  });

  test('stops the start where it names no networks', () => {
    vi.stubEnv('Webhooks__AllowedNetworks', '10.20.0.0/33');
    expect(() => settings[MANUAL].check()).toThrow(/Webhooks:AllowedNetworks .* must be networks such as/);
  });
});

test.each([
  [{ Webhooks__Billing__Url: 'not an address' }, /Webhooks:Billing:Url must be an absolute/],
  [{ Webhooks__Billing__AuthType: 'Bearer' }, /set Webhooks:Billing:Token too/],
])(
  'the settings of the billing webhook stop the start when they cannot be used: %j',
  (variables, complaint) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(() => settings[MANUAL].check()).toThrow(complaint);
  },
);
