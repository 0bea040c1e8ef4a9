import { describe, expect, test, vi } from 'vitest';
import { webhooks } from '../../../../functions/credentials/webhooks/domain/engine.ts';
import { handler as getInstitute } from '../../../../functions/credentials/webhooks/endpoints/get-institute-integration.ts';
import { handler as getSubscription } from '../../../../functions/credentials/webhooks/endpoints/get-subscription-integration.ts';
import { handler as setInstitute } from '../../../../functions/credentials/webhooks/endpoints/set-institute-integration.ts';
import { handler as setSubscription } from '../../../../functions/credentials/webhooks/endpoints/set-subscription-integration.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { listWebhooks, registrationsOf } from '../../../../shared/webhooks/registrations/lookup.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { answering } from '../../../shared/webhooks/a-receiver.ts';
import { receiversOfATest } from '../../../shared/webhooks/receivers.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';
import { administratorOf, typesSentTo, webhookStage } from './webhook-stage.ts';

const receiver = receiversOfATest();
const stage = webhookStage();

// A numeric address needs no resolution, so this needs no network. shared/webhooks has the table of addresses.
const PUBLIC = 'https://93.184.215.14/webhooks';
const BEARER = { enabled: true, url: PUBLIC, authType: 'Bearer', token: 'a-long-random-token' };
const HOUR_MS = 3_600_000;

const OPERATIONS = {
  organization: { get: getSubscription, set: setSubscription, id: () => stage.organizationId() },
  institute: { get: getInstitute, set: setInstitute, id: () => stage.instituteId() },
} as const;
const OWNERS = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];

const read = (owner: keyof typeof OPERATIONS, headers = stage.headers) =>
  call(OPERATIONS[owner].get, { params: { id: OPERATIONS[owner].id() }, headers });
const write = (owner: keyof typeof OPERATIONS, json: unknown, headers = stage.headers) =>
  call(OPERATIONS[owner].set, { params: { id: OPERATIONS[owner].id() }, headers, json });

describe.each(OWNERS)('the integration of an %s', (owner) => {
  const flag = owner === 'institute' ? { shouldUseSubscriptionWebhookSettings: false } : {};
  const NEVER = { enabled: false, url: null, authType: null, ...flag };

  test('that was never configured is disabled', async () => {
    const { status, json } = await read(owner);
    expect([status, json()]).toEqual([200, NEVER]);
  });

  test('is set whole, and read without its token', async () => {
    const set = await write(owner, BEARER);
    const shown = { enabled: true, url: PUBLIC, authType: 'Bearer', ...flag };
    expect([set.status, set.json()]).toEqual([200, shown]);
    expect((await read(owner)).json()).toEqual(shown);
    // What is left out is unset.
    expect((await write(owner, { enabled: false })).json()).toEqual(NEVER);
    expect((await read(owner)).json()).toEqual(NEVER);
  });

  test('has its token in no answer, no log and no row of the store as it is', async () => {
    vi.stubEnv('Log__Level', 'DEBUG');
    const token = 'TOKEN-never-shown';
    const { lines, result } = await logOf(async () => [
      await write(owner, { ...BEARER, token }),
      await read(owner),
      await write(owner, { ...BEARER, token: `${token} ` }),
    ]);
    expect(result.map(({ status }) => status)).toEqual([200, 200, 422]);
    expect(JSON.stringify(lines)).not.toContain(token);
    expect(result.map(({ text }) => text).join()).not.toContain(token);
    expect(JSON.stringify(await everyItem('credentials'))).not.toContain(token);
  });

  test.each([
    ['no url to enable it', { enabled: true, authType: 'NoAuth' }, 'url'],
    ['a null url to enable it', { enabled: true, url: null, authType: 'NoAuth' }, 'url'],
    ['an empty url', { ...BEARER, url: '' }, 'url'],
    ['only spaces for a url', { ...BEARER, url: '  ' }, 'url'],
    ['a url without end', { ...BEARER, url: `${PUBLIC}/${'a'.repeat(2_048)}` }, 'url'],
    ['no authType to enable it', { enabled: true, url: PUBLIC, token: 'a' }, 'authType'],
    ['another authType', { ...BEARER, authType: 'Digest' }, 'authType'],
    ['no token with Bearer', { ...BEARER, token: undefined }, 'token'],
    ['an empty token with ApiKey', { ...BEARER, authType: 'ApiKey', token: '' }, 'token'],
    ['a token that HTTP cannot carry', { ...BEARER, token: 'a\r\nx: y' }, 'token'],
    ['a token that HTTP would trim', { ...BEARER, token: ' a' }, 'token'],
    ['a token that is not ASCII', { ...BEARER, token: 'não' }, 'token'],
    ['a token without end', { ...BEARER, token: 'a'.repeat(4_097) }, 'token'],
    ['no enabled', { url: PUBLIC, authType: 'NoAuth' }, 'enabled'],
    ['enabled as a text', { ...BEARER, enabled: 'true' }, 'enabled'],
    [
      'a flag that is none',
      { ...BEARER, shouldUseSubscriptionWebhookSettings: 1 },
      'shouldUseSubscriptionWebhookSettings',
    ],
  ])('is refused with %s, and stays as it was', async (_, body, field) => {
    await write(owner, BEARER);
    const { status, json } = await write(owner, body);
    expect([status, json()]).toMatchObject([
      422,
      { code: 'InvalidFields', message: expect.any(String), details: { field, reason: expect.any(String) } },
    ]);
    expect((await read(owner)).json()).toMatchObject({ enabled: true, url: PUBLIC, authType: 'Bearer' });
  });

  test.each([
    ['not on the public internet', 'http://10.0.0.1/', 'private-address'],
    ['no plain http or https address', 'http://user:password@93.184.215.14/', 'bad-address'],
  ])('is refused by the guard with what is %s', async (_, url, reason) => {
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
    const { status, json, text } = await write(owner, { ...BEARER, url });
    expect([status, json()]).toMatchObject([
      422,
      { code: 'InvalidWebhookUrl', details: { reason, explanation: expect.any(String) } },
    ]);
    expect(text).not.toContain('password@');
    expect((await read(owner)).json()).toEqual(NEVER);
  });

  test('needs the permission Administrador, to be set and to be read', async () => {
    const headers = await keyOf(stage.tenant);
    for (const answer of [await write(owner, BEARER, headers), await read(owner, headers)])
      expect([answer.status, answer.json()]).toMatchObject([403, { code: 'Forbidden' }]);
    expect((await write(owner, BEARER, {})).status).toBe(401);
    expect((await read(owner)).json()).toEqual(NEVER);
  });

  test('of another organization does not exist for the key', async () => {
    const headers = await administratorOf(await ownTenant());
    const resourceName = owner === 'organization' ? 'Subscription' : 'Institute';
    for (const answer of [await write(owner, BEARER, headers), await read(owner, headers)])
      expect([answer.status, answer.json()]).toMatchObject([
        404,
        { code: `${resourceName}NotFound`, resourceName, resourceId: OPERATIONS[owner].id() },
      ]);
  });

  test('and its webhook agree when a process is killed after any write', async () => {
    const changes = [BEARER, { ...BEARER, url: `${PUBLIC}/moved` }, { ...BEARER, enabled: false }, BEARER];
    for (const change of changes)
      for (let isKilled = true, n = 1; isKilled; n++) {
        isKilled = await killedAt(n, 'after', async () => {
          const { status } = await write(owner, change);
          // A killed process answers nobody.
          if (status !== 200) throw new Error(`answered ${status}`);
        });
        dropAllCached();
        const { enabled, url } = (await read(owner)).json() as { enabled: boolean; url: string | null };
        const registered = await listWebhooks(webhooks, OPERATIONS[owner].id());
        expect([n, registered.map((webhook) => webhook.url)]).toEqual([n, enabled ? [url] : []]);
      }
  });
});

describe('shouldUseSubscriptionWebhookSettings', () => {
  test('of an institute is set and read, and needs no address of its own', async () => {
    const { status, json } = await stage.setInstitute({
      enabled: true,
      shouldUseSubscriptionWebhookSettings: true,
    });
    const shown = { enabled: true, url: null, authType: null, shouldUseSubscriptionWebhookSettings: true };
    expect([status, json()]).toEqual([200, shown]);
    expect((await read('institute')).json()).toEqual(shown);
  });

  test('is refused for an organization, which has no other webhook to use', async () => {
    const { status, json } = await stage.set({ ...BEARER, shouldUseSubscriptionWebhookSettings: true });
    expect([status, json()]).toMatchObject([
      422,
      { code: 'InvalidFields', details: { field: 'shouldUseSubscriptionWebhookSettings' } },
    ]);
    for (const value of [false, null])
      expect((await stage.set({ ...BEARER, shouldUseSubscriptionWebhookSettings: value })).status).toBe(200);
  });
});

describe('an integration that changes while deliveries wait', () => {
  /** A delivery that failed once and waits. */
  const waiting = async () => {
    const old = await receiver(answering(503));
    await stage.sendTo(old);
    const webhookId = await stage.webhookId();
    await stage.create('curriculum');
    await stage.deliver();
    expect(old.received).toHaveLength(1);
    stage.laterMs = HOUR_MS;
    return { old, webhookId };
  };

  test('disabled and replaced before anybody looked: the old ones are not sent to the new', async () => {
    const { old, webhookId } = await waiting();
    const next = await receiver();
    await stage.set({ enabled: false });
    await stage.sendTo(next);
    await stage.create('curriculum');
    await stage.deliver(undefined, webhookId);
    await stage.deliver();
    expect([old.received.length, typesSentTo(next)]).toEqual([1, ['CurriculumCreated']]);
    expect(await stage.deliveries(webhookId)).toEqual([]);
  });

  test('disabled: nothing that happens then is recorded, in this process at once', async () => {
    const inbox = await receiver();
    await stage.sendTo(inbox);
    const webhookId = await stage.webhookId();
    const degree = await stage.create('degree');
    await stage.deliver();
    await stage.set({ enabled: false, url: inbox.url });
    await stage.move(degree, 'concluded');
    expect(await stage.deliveries(webhookId)).toHaveLength(1);
    await stage.sendTo(inbox);
    await stage.move(degree, 'canceledTemporarily');
    await stage.deliver();
    expect(typesSentTo(inbox)).toEqual(['DegreeCreated', 'DegreeCanceledTemporarily']);
  });

  // process 1 |--knows the webhook--------------- records an event by its copy
  // process 2      |--disables or moves it--|
  // process 3                                         |--delivers it: reads the webhook: none, or the new address
  test.each([
    ['disabled', [], { recorded: 1, sent: 0 }],
    ['moved', ['/moved'], { recorded: 2, sent: 2 }],
  ])(
    'elsewhere, %s: no event goes to the old address, and none is recorded for a webhook that is gone',
    async (_, paths, { recorded, sent }) => {
      const inbox = await receiver();
      await stage.sendTo({ url: `${inbox.url}/old` });
      const before = await stage.webhookId();
      await stage.create('curriculum');
      const registrations = registrationsOf(webhooks);
      const current = await registrations.get(stage.organizationId());
      const [webhook] = current?.webhooks ?? [];
      if (!webhook) throw new Error('No webhook was registered.');
      const changed = paths.map((path) => ({ ...webhook, url: `${inbox.url}${path}` }));
      await registrations.put({ owner: stage.organizationId(), webhooks: changed });
      await stage.create('curriculum');
      expect(await stage.deliveries(before)).toHaveLength(recorded);
      await stage.deliver(undefined, before);
      expect(inbox.received.map(({ path }) => path)).toEqual(Array(sent).fill('/moved'));
      expect(await stage.deliveries(before)).toHaveLength(sent);
    },
  );

  test('can always be disabled, also when the name of its address is gone', async () => {
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
    await stage.set(BEARER);
    const { status } = await stage.set({ enabled: false, url: 'http://no-such-host.invalid/' });
    expect(status).toBe(200);
    const again = await stage.set({ ...BEARER, url: 'http://no-such-host.invalid/' });
    expect(again.json()).toMatchObject({ code: 'InvalidWebhookUrl', details: { reason: 'name-not-found' } });
  });
});
