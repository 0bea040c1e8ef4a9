import { createHash, verify, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from './support/contract.ts';
import { returnUrlOf } from './support/engine.ts';
import { sharedEngine } from './support/shared-engine.ts';

const CPF = '52998224725';
const { url, applications } = sharedEngine();
const [first, second] = applications;

let hub: Service;
beforeAll(async () => {
  hub = await openService(url, 'hub', first?.keys.hub ?? '');
});

const REQUEST = {
  redirectUri: returnUrlOf(url),
  identifier: CPF,
  type: 'SignatureSession',
  lifetimeInSeconds: 900,
  customState: 'order 42',
};

/** The holder approves at the provider, and the browser follows to the redirect URI: gives its query. */
async function approve(authUrl: string, decision = 'approve'): Promise<URLSearchParams> {
  const to = (response: Response) => response.headers.get('location') ?? '';
  const approved = await fetch(authUrl, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ decision }),
  });
  const back = new URL(to(await fetch(to(approved), { redirect: 'manual' })));
  expect(`${back.origin}${back.pathname}`).toBe(REQUEST.redirectUri);
  return back.searchParams;
}

describe('the hub', () => {
  test('is healthy', async () => {
    expect((await hub.call('getHealth', { key: null })).json).toEqual({ status: 'ok' });
    await hub.call('getOpenapi', { key: null });
  });

  test('knows which providers hold a certificate', async () => {
    const services = (await hub.call('listServices', { query: { identifier: CPF } })).json;
    expect(services.map(({ serviceName }: { serviceName: string }) => serviceName)).toEqual(['alpha']);
    const available = await hub.call('getAvailability', {
      path: { name: 'beta' },
      query: { identifier: '11222333000181', identifierType: 'CNPJ' },
    });
    expect(available.json).toEqual({ discoveryAvailable: true, certificateFound: true });
  });

  test('signs hashes with the certificate of a holder who approved', async () => {
    const { services } = (await hub.call('createSession', { body: REQUEST })).json;
    const session = (await approve(services[0].authUrl)).get('session') ?? '';
    expect((await hub.call('getCustomState', { query: { session } })).json).toBe('order 42');

    const content = (await hub.call('getCertificate', { query: { session } })).json;
    const second = (await hub.call('getCertificateV2', { query: { session } })).json;
    expect(second).toMatchObject({ content, serviceName: 'alpha' });

    const data = Buffer.from('what is signed');
    const hash = createHash('sha256').update(data).digest('base64');
    const body = { session, hash, digestAlgorithm: 'SHA-256' };
    const signature = Buffer.from((await hub.call('signHash', { body })).json, 'base64');
    const { publicKey } = new X509Certificate(Buffer.from(content, 'base64'));
    expect(verify('sha256', data, publicKey, signature)).toBe(true);
  });

  test('gives a session to no other application', async () => {
    const { identifier: _, ...request } = REQUEST;
    const body = { ...request, identifier: CPF, discover: false };
    const { authUrl } = (await hub.call('createServiceSession', { path: { name: 'alpha' }, body })).json;
    const session = (await approve(authUrl)).get('session') ?? '';
    const key = second?.keys.hub ?? '';
    await hub.call('getCertificate', { query: { session }, key, expect: 422 });
    await hub.call('getCertificate', { query: { session } });
  });

  test('brings back a user who denied without a session', async () => {
    const { authUrl } = (await hub.call('createServiceSession', { path: { name: 'alpha' }, body: REQUEST }))
      .json;
    const back = await approve(authUrl, 'deny');
    expect([back.get('session'), back.get('error')]).toEqual([null, 'access_denied']);
  });

  test('sends nobody to an address that is not registered', async () => {
    const body = { ...REQUEST, redirectUri: 'https://elsewhere.example/' };
    const refused = await hub.call('createSession', { body, expect: 422 });
    expect(refused.json.code).toBe('UnauthorizedRedirectUri');
  });

  test('was asked for every operation of its contract', () => {
    expect(hub.unplayed()).toEqual([]);
  });
});
