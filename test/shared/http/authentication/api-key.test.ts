import { randomBytes } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as getOrganization } from '../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler as getCustomState } from '../../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as getAuthentication } from '../../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { handler as getStatus } from '../../../../functions/session/endpoints/get-status.ts';
import { applications, newKey } from '../../../../shared/access/applications.ts';
import type { ServiceName } from '../../../../shared/settings/names.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { wholeTable } from '../../../stores/whole-table.ts';
import { requestsOf } from '../../store/requests.ts';
import { givenKey, sample } from '../sample.ts';

const whoami = sample().endpoint(
  {
    route: 'GET /whoami',
    summary: 'Who calls',
    answers: { 200: z.object({ application: z.string(), keyId: z.string(), uris: z.array(z.string()) }) },
  },
  async ({ caller }) => ({
    application: caller.application,
    keyId: caller.keyId,
    uris: [...(caller.registered.redirectUris ?? [])],
  }),
);

const services = [
  ['session', getStatus, { query: { sessionId: 'x' } }, 200],
  ['hub', getCustomState, { query: { session: 'x' } }, 422],
  ['pki', getAuthentication, {}, 200],
  ['documents', getOrganization, { params: { orgId: 'x' } }, 404],
  ['sandbox', whoami, {}, 200],
] as const satisfies [ServiceName, typeof whoami, Request, number][];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test('every key of an application is accepted and says which one it is', async () => {
  const first = newKey('several');
  const second = newKey('several');
  await applications('sandbox').put({
    name: 'several',
    disabled: false,
    permissions: [],
    registered: { redirectUris: ['https://example.com/return'] },
    keys: [first.key, second.key],
  });
  for (const { text, key } of [first, second]) {
    const answered = await call(whoami, { headers: { 'x-api-key': text } });
    expect(answered.json()).toEqual({
      application: 'several',
      keyId: key.id,
      uris: ['https://example.com/return'],
    });
  }
});

// Each is a header that must not let anyone in, whatever the reason.
async function refusedHeaders(service: ServiceName): Promise<Record<string, Request['headers']>> {
  const { text: good, application } = await givenKey(service);
  const disabled = await givenKey(service, { disabled: true });
  const expired = await keyThat(service, { expiresAt: new Date(Date.now() - 1).toISOString() });
  const [name = ''] = good.split('|');
  return {
    missing: {},
    empty: { 'X-API-Key': '' },
    'without a bar': { 'X-API-Key': name },
    'without a name': { 'X-API-Key': '|secret' },
    'without a secret': { 'X-API-Key': `${name}|` },
    'with another secret': { 'X-API-Key': newKey(name).text },
    'with more after the secret': { 'X-API-Key': `${good}x` },
    'with a name of another case': { 'X-API-Key': good.toUpperCase() },
    'the hash itself': { 'X-API-Key': `${name}|${application.keys[0]?.hash}` },
    'of an unknown application': { 'X-API-Key': newKey('nobody').text },
    'of a name that no application can have': { 'X-API-Key': `${'#'.repeat(5_000)}|secret` },
    revoked: { 'X-API-Key': await keyThat(service, { revokedAt: new Date().toISOString() }) },
    expired: { 'X-API-Key': expired },
    'of a disabled application': { 'X-API-Key': disabled.text },
    'given twice, both good': { 'X-API-Key': [good, good] },
    'given twice, one good': { 'X-API-Key': ['x', good] },
    'given twice, in another case': { 'X-API-Key': 'x', 'x-api-key': good },
    // The PKI core takes a key as a bearer token: clients of its earlier generation send it so.
    'in another header': { Authorization: `${service === 'pki' ? 'ApiKey' : 'Bearer'} ${good}` },
  };
}

async function keyThat(
  service: ServiceName,
  differs: { revokedAt?: string; expiresAt?: string },
): Promise<string> {
  const name = `app-${crypto.randomUUID()}`;
  const { text, key } = newKey(name);
  await applications(service).put({
    name,
    disabled: false,
    permissions: ['*'],
    registered: {},
    keys: [{ ...key, ...differs }],
  });
  return text;
}

test.each(services)(
  'every key that %s does not accept gets the identical 401',
  async (service, handler, request, ok) => {
    const good = (await givenKey(service)).text;
    expect((await call(handler, { ...request, headers: { 'X-API-Key': good } })).status).toBe(ok);

    const usual = await call(handler, request);
    const ids = (text: string, id = '') => text.replaceAll(id, 'ID');
    for (const [why, headers] of Object.entries(await refusedHeaders(service))) {
      const answered = await call(handler, { ...request, headers });
      const id = answered.headers['x-correlation-id'];
      expect([answered.status, why]).toEqual([401, why]);
      expect(ids(answered.text, id)).toBe(ids(usual.text, usual.headers['x-correlation-id']));
      expect({ ...answered.headers, 'x-correlation-id': 0 }).toEqual({
        ...usual.headers,
        'x-correlation-id': 0,
      });
    }
  },
);

test('a key that is revoked, and an application that is disabled, are refused once Access:CacheSeconds are over', async () => {
  const { text, application } = await givenKey('sandbox');
  const headers = { 'X-API-Key': text };
  const statusOf = async () => (await call(whoami, { headers })).status;
  const keys = application.keys.map((key) => ({ ...key, revokedAt: new Date().toISOString() }));
  let nowMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  for (const refused of [
    { ...application, disabled: true },
    { ...application, keys },
  ]) {
    await applications('sandbox').put(application);
    expect(await statusOf()).toBe(200);
    await applications('sandbox').put(refused);
    vi.setSystemTime(nowMs + 4_999);
    expect(await statusOf()).toBe(200);
    nowMs += 5_000;
    vi.setSystemTime(nowMs);
    expect(await statusOf()).toBe(401);
  }
});

test('where nothing is cached, they are refused from the next call on', async () => {
  vi.stubEnv('Access__CacheSeconds', '0');
  const { text, application } = await givenKey('sandbox');
  const headers = { 'X-API-Key': text };
  expect((await call(whoami, { headers })).status).toBe(200);
  await applications('sandbox').put({ ...application, disabled: true });
  expect((await call(whoami, { headers })).status).toBe(401);
});

test('a key that is issued, and an application that is enabled again, are accepted at once', async () => {
  const { text, application } = await givenKey('sandbox');
  const later = newKey(application.name);
  const statusOf = async (key: string) => (await call(whoami, { headers: { 'X-API-Key': key } })).status;
  expect(await statusOf(text)).toBe(200);
  expect(await statusOf(later.text)).toBe(401);
  await applications('sandbox').put({ ...application, keys: [...application.keys, later.key] });
  expect(await statusOf(later.text)).toBe(200);
  await applications('sandbox').put({ ...application, disabled: true });
  expect(await statusOf('unknown|key')).toBe(401);
  expect(await statusOf(`${application.name}|wrong`)).toBe(401); // it reads that the application is disabled
  expect(await statusOf(text)).toBe(401);
  await applications('sandbox').put(application);
  expect(await statusOf(text)).toBe(200);
});

test('an accepted call costs no read while its application is cached, and a refused one costs one', async () => {
  const { text, application } = await givenKey('sandbox');
  const wrong = newKey(application.name).text;
  const readsOf = (key: string) =>
    requestsOf(() => call(whoami, { headers: { 'X-API-Key': key } })).then(({ GetItem = 0 }) => GetItem);
  expect(await readsOf(wrong)).toBe(1);
  expect(await readsOf(text)).toBe(0);
  expect(await readsOf(text)).toBe(0);
  expect(await readsOf(wrong)).toBe(1);
  expect(await readsOf(newKey('nobody').text)).toBe(1);
});

test('a key of one service opens no other', async () => {
  const { text } = await givenKey('hub');
  expect((await call(whoami, { headers: { 'X-API-Key': text } })).status).toBe(401);
});

test('the table holds no secret, only what a secret is checked against', async () => {
  const { text, application } = await givenKey('sandbox');
  await call(whoami, { headers: { 'X-API-Key': text } });
  await call(whoami, { headers: { 'X-API-Key': `${text}-${randomBytes(8).toString('hex')}` } });
  const rows = await wholeTable('sandbox');
  const [, secret = ''] = text.split('|');
  expect(rows).toContain(application.keys[0]?.hash);
  expect(rows).not.toContain(secret);
  expect(rows).not.toContain(Buffer.from(secret).toString('base64'));
});
