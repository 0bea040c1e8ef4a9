import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getOrganization } from '../../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler as createWebhook } from '../../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as deleteWebhook } from '../../../../../functions/documents/endpoints/webhooks/delete-webhook.ts';
import { handler as updateWebhook } from '../../../../../functions/documents/endpoints/webhooks/update-webhook.ts';
import type { Endpoint } from '../../../../../shared/http/endpoint.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';

const URL_GIVEN = 'http://127.0.0.1:9900/webhooks?tenant=7';
const WEBHOOK = { url: URL_GIVEN, authType: 'Bearer', token: 'a-long-random-token' };
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

let orgId: string;
let key: string;
beforeEach(async () => {
  vi.unstubAllEnvs();
  // Tests use no public address; the guard has its own tests.
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
  ({ orgId, key } = await ownOrganization());
});

type CallOptions = { orgId?: string; webhookId?: string; key?: string };
const ask = (handler: Endpoint, json?: unknown, asked: CallOptions = {}) =>
  call(handler, {
    params: { orgId: asked.orgId ?? orgId, ...(asked.webhookId && { webhookId: asked.webhookId }) },
    headers: { 'X-API-Key': asked.key ?? key },
    ...(json !== undefined && { json }),
  });

const create = (json: unknown = WEBHOOK, asked: CallOptions = {}) => ask(createWebhook, json, asked);
const idOf = async (json: unknown = WEBHOOK) => ((await create(json)).json() as { id: string }).id;
const listed = async () => ((await ask(getOrganization)).json() as { webhooks: unknown[] }).webhooks;

describe('POST /api/organizations/{orgId}/webhooks', () => {
  test('creation returns the webhook id, as `id` and as `webhookId`', async () => {
    const { status, json } = await create();
    expect(status).toBe(200);
    const { id, webhookId } = json() as Record<string, string>;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(webhookId).toBe(id);
  });

  test('takes the media type application/json-patch+json, which clients of such platforms send', async () => {
    const { status } = await call(createWebhook, {
      params: { orgId },
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json-patch+json' },
      body: JSON.stringify(WEBHOOK),
    });
    expect(status).toBe(200);
  });

  test.each(['NoAuth', 'Basic', 'Bearer', 'ApiKey'])('authType may be %s', async (authType) => {
    expect((await create({ ...WEBHOOK, authType })).status).toBe(200);
  });

  test.each(['Digest', 'bearer', '', null, 1, undefined])('authType may not be %s', async (authType) => {
    expect((await create({ ...WEBHOOK, authType })).status).toBe(400);
  });

  test.each([
    { url: URL_GIVEN, authType: 'NoAuth' },
    { url: URL_GIVEN, authType: 'NoAuth', token: null },
    { url: URL_GIVEN, authType: 'NoAuth', token: '' },
  ])('a token is not asked for with NoAuth: %j', async (given) => {
    expect((await create(given)).status).toBe(200);
  });

  test.each([undefined, null, '', 'with\r\nX-Injected: 1', 'padded ', 'x'.repeat(4_097)])(
    'a token is text that a header carries unchanged: not %j',
    async (token) => {
      const { status, json, text } = await create({ ...WEBHOOK, token });
      expect(status).toBe(400);
      expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'token' } });
      expect(text).not.toContain('X-Injected');
      expect(await listed()).toEqual([]);
    },
  );

  test.each(['\r\n', '\n', '\t', '\u0000', '\u007f', '\u0085'])(
    'an address has no control character in it: not %j, inside or at an end',
    async (character) => {
      const places = [`${URL_GIVEN}${character}/x`, `${URL_GIVEN}${character}`, `${character}${URL_GIVEN}`];
      for (const url of places) {
        const { status, json } = await create({ ...WEBHOOK, url });
        expect(status).toBe(422);
        expect(json()).toMatchObject({ code: 'InvalidWebhookUrl', details: { reason: 'bad-address' } });
      }
      expect(await listed()).toEqual([]);
    },
  );

  test('a secret is one of Standard Webhooks', async () => {
    expect((await create({ ...WEBHOOK, secret: SECRET })).status).toBe(200);
    for (const secret of ['', 'hidden', 'whsec_', 'whsec_AAAA', `${SECRET}=`, SECRET.slice(6)]) {
      const { status, json, text } = await create({ ...WEBHOOK, secret });
      expect(status).toBe(400);
      expect(json()).toMatchObject({ details: { field: 'secret' } });
      if (secret !== '' && secret !== 'whsec_') expect(text).not.toContain(secret);
    }
  });

  test('going over the per-organization webhook limit answers MaxWebhooksLimitReached, 5 by default', async () => {
    for (let n = 0; n < 5; n++) expect((await create()).status).toBe(200);
    const { status, json } = await create();
    expect(status).toBe(422);
    expect(json()).toEqual({
      code: 'MaxWebhooksLimitReached',
      message: expect.any(String),
      details: { limit: '5' },
    });
  });

  test('the limit is an instance setting', async () => {
    vi.stubEnv('MaxWebhooksPerOrganization', '1');
    expect((await create()).status).toBe(200);
    expect((await create()).json()).toMatchObject({ details: { limit: '1' } });
  });

  test('an organization outside the scope of the key is one that does not exist', async () => {
    const another = await ownOrganization();
    const { status, json } = await create(WEBHOOK, { orgId: another.orgId });
    expect(status).toBe(404);
    expect(json()).toMatchObject({ code: 'OrganizationNotFound', resourceId: another.orgId });
  });
});

test('GET /api/organizations/{orgId}: registered webhooks are listed in the `webhooks` field, without token and secret', async () => {
  const first = await idOf({ ...WEBHOOK, secret: SECRET });
  const second = await idOf({ ...WEBHOOK, authType: 'NoAuth' });
  const { status, json, text } = await ask(getOrganization);
  expect(status).toBe(200);
  expect((json() as { webhooks: unknown }).webhooks).toEqual([
    { id: first, url: URL_GIVEN, authType: 'Bearer' },
    { id: second, url: URL_GIVEN, authType: 'NoAuth' },
  ]);
  expect(text).not.toContain(WEBHOOK.token);
  expect(text).not.toContain(SECRET);
});

describe('PUT /api/organizations/{orgId}/webhooks/{webhookId}', () => {
  test('replaces url, authType and token, and answers what is now registered', async () => {
    const webhookId = await idOf();
    const changed = { url: 'http://127.0.0.1:9901/', authType: 'ApiKey', token: 'another-token' };
    const { status, json } = await ask(updateWebhook, changed, { webhookId });
    expect(status).toBe(200);
    expect(json()).toEqual({ id: webhookId, url: changed.url, authType: 'ApiKey' });
    expect(await listed()).toEqual([{ id: webhookId, url: changed.url, authType: 'ApiKey' }]);
  });

  test('asks for the token again, so that none is sent to an address that its owner did not choose', async () => {
    const webhookId = await idOf();
    const { status, json } = await ask(
      updateWebhook,
      { url: 'http://127.0.0.1:1/', authType: 'Bearer' },
      { webhookId },
    );
    expect(status).toBe(400);
    expect(json()).toMatchObject({ details: { field: 'token' } });
    expect(await listed()).toEqual([{ id: webhookId, url: URL_GIVEN, authType: 'Bearer' }]);
  });

  test('asks for the secret again with another address, and takes null for none', async () => {
    const webhookId = await idOf({ ...WEBHOOK, secret: SECRET });
    const elsewhere = { url: 'http://127.0.0.1:1/', authType: 'Bearer', token: 'a-token' };
    const { status, json } = await ask(updateWebhook, elsewhere, { webhookId });
    expect([status, json()]).toMatchObject([400, { details: { field: 'secret' } }]);
    expect(await listed()).toEqual([{ id: webhookId, url: URL_GIVEN, authType: 'Bearer' }]);
    expect((await ask(updateWebhook, { ...elsewhere, secret: null }, { webhookId })).status).toBe(200);
  });

  test('a webhook that the organization does not have is not found, also when another one has it', async () => {
    const another = await ownOrganization();
    const { id: theirs } = (await create(WEBHOOK, another)).json() as { id: string };
    for (const webhookId of [randomUUID(), theirs]) {
      const { status, json } = await ask(updateWebhook, WEBHOOK, { webhookId });
      expect(status).toBe(404);
      expect(json()).toMatchObject({
        code: 'WebhookNotFound',
        resourceName: 'Webhook',
        resourceId: webhookId,
      });
    }
  });
});

test('DELETE /api/organizations/{orgId}/webhooks/{webhookId} takes the webhook away, once', async () => {
  const webhookId = await idOf();
  const kept = await idOf();
  const { status, text } = await ask(deleteWebhook, undefined, { webhookId });
  expect({ status, text }).toEqual({ status: 204, text: '' });
  expect(await listed()).toEqual([{ id: kept, url: URL_GIVEN, authType: 'Bearer' }]);
  const again = await ask(deleteWebhook, undefined, { webhookId });
  expect(again.status).toBe(404);
  expect(again.json()).toMatchObject({ code: 'WebhookNotFound' });
});

describe('webhooks are not available in personal organizations', () => {
  const refused = { code: 'OperationNotSupportedInPersonalOrganizations', message: expect.any(String) };

  test.each([
    ['registering', createWebhook],
    ['changing', updateWebhook],
    ['deleting', deleteWebhook],
  ])('%s one answers OperationNotSupportedInPersonalOrganizations', async (_, handler) => {
    const personal = await ownOrganization({ identifier: null });
    const json = handler === deleteWebhook ? undefined : WEBHOOK;
    const { status, json: answer } = await ask(handler, json, { ...personal, webhookId: randomUUID() });
    expect(status).toBe(422);
    expect(answer()).toEqual({ ...refused, details: { organizationId: personal.orgId } });
  });

  test('its details list none', async () => {
    const personal = await ownOrganization({ identifier: null });
    expect((await ask(getOrganization, undefined, personal)).json()).toMatchObject({ webhooks: [] });
  });
});
