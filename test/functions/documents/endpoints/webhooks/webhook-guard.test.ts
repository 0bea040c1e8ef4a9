import { beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as createWebhook } from '../../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as updateWebhook } from '../../../../../functions/documents/endpoints/webhooks/update-webhook.ts';
import { call } from '../../../../http-event.ts';
import { ownOrganization } from '../../own-organization.ts';

const NOT_PUBLIC = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST:9900/',
  'http://127.1/',
  'http://0/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'https://0.0.0.0/',
  'http://255.255.255.255/',
  'http://224.0.0.1/',
];

const MALFORMED = [
  'example.com/path',
  '//example.com/',
  '/path',
  'ftp://93.184.215.14/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://user:password@93.184.215.14/',
  'http://user@93.184.215.14/',
  'http://',
];

// A numeric address needs no resolution, so this needs no network.
const PUBLIC = 'https://93.184.215.14/webhooks';

const WEBHOOK = { authType: 'Bearer', token: 'a-long-random-token' };

let orgId: string;
let headers: { 'X-API-Key': string };
let webhookId: string;

const create = (url: string) =>
  call(createWebhook, { params: { orgId }, headers, json: { ...WEBHOOK, url } });
const update = (url: string) =>
  call(updateWebhook, { params: { orgId, webhookId }, headers, json: { ...WEBHOOK, url } });

beforeAll(async () => {
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
  const own = await ownOrganization();
  orgId = own.orgId;
  headers = { 'X-API-Key': own.key };
  const made = await create(PUBLIC);
  expect(made.status).toBe(200);
  ({ id: webhookId } = made.json() as { id: string });
});

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
