import { describe, expect, test, vi } from 'vitest';
import { handler as createWebhook } from '../../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as updateWebhook } from '../../../../../functions/documents/endpoints/webhooks/update-webhook.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';

// A numeric address needs no resolution, so this needs no network. shared/webhooks has the table of addresses.
const PUBLIC = 'https://93.184.215.14/webhooks';
const WEBHOOK = { authType: 'Bearer', token: 'a-long-random-token' };

const create = (url: string) =>
  call(createWebhook, { params: { orgId }, headers, json: { ...WEBHOOK, url } });
const update = (url: string) =>
  call(updateWebhook, { params: { orgId, webhookId }, headers, json: { ...WEBHOOK, url } });

vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
const own = await ownOrganization();
const orgId = own.orgId;
const headers = { 'X-API-Key': own.key };
const made = await create(PUBLIC);
expect(made.status).toBe(200);
const { id: webhookId } = made.json() as { id: string };

describe.each([
  ['registering', create],
  ['changing', update],
])('%s a webhook', (_, ask) => {
  test.each([
    ['what is not on the public internet', 'http://10.0.0.1/', 'private-address'],
    ['what is no plain http or https address', 'http://user:password@93.184.215.14/', 'bad-address'],
    ['a name that has no address', 'http://no-such-host.invalid/', 'name-not-found'],
  ])(
    'the guard refuses %s with words that say why, and keeps the webhook that was there',
    async (_, url, reason) => {
      const { status, json, text } = await ask(url);
      expect([status, json()]).toMatchObject([
        422,
        { code: 'InvalidWebhookUrl', details: { reason, explanation: expect.stringMatching(/\w+ \w+/) } },
      ]);
      expect(text).not.toContain('password@');
      expect((await update(PUBLIC)).json()).toEqual({ id: webhookId, url: PUBLIC, authType: 'Bearer' });
    },
  );

  test('an address has at most 2,048 characters', async () => {
    expect((await ask(`${PUBLIC}/${'a'.repeat(2_048)}`)).status).toBe(400);
  });
});
