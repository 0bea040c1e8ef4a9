import { describe, expect, test, vi } from 'vitest';
import { handler as createWebhook } from '../../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as updateWebhook } from '../../../../../functions/documents/endpoints/webhooks/update-webhook.ts';
import { call } from '../../../../http-event.ts';
import { MALFORMED, NOT_PUBLIC, PUBLIC } from '../../../guarded-addresses.ts';
import { ownOrganization } from '../../own-organization.ts';

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
  test.each(NOT_PUBLIC)('the guard refuses what is not on the public internet: %s', async (url) => {
    const { status, json } = await ask(url);
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'InvalidWebhookUrl', details: { reason: 'private-address' } });
  });

  test.each(MALFORMED)('the guard refuses what is no plain http or https address: %s', async (url) => {
    const { status, json, text } = await ask(url);
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'InvalidWebhookUrl', details: { reason: 'bad-address' } });
    expect(text).not.toContain('password@');
  });

  test('an address has at most 2,048 characters', async () => {
    expect((await ask(`${PUBLIC}/${'a'.repeat(2_048)}`)).status).toBe(400);
  });

  test('the guard refuses a name that has no address', async () => {
    const { status, json } = await ask('http://no-such-host.invalid/');
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'InvalidWebhookUrl', details: { reason: 'name-not-found' } });
  });

  test('a refusal says why in words, and keeps the webhook that was there', async () => {
    const { details } = (await ask('http://10.0.0.1/')).json() as { details: Record<string, string> };
    expect(details.explanation).toMatch(/10\.0\.0\.1 is not on the public internet/);
    expect((await update(PUBLIC)).json()).toEqual({ id: webhookId, url: PUBLIC, authType: 'Bearer' });
  });
});
