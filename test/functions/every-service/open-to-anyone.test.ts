import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { functionFiles } from '../../../infra/build/function-files.ts';
import { handlerOf } from '../../../infra/invoke.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { call } from '../../requests/http-event.ts';
import { OPEN } from './open-routes.ts';

const endpointOf = async (name: string) => (await handlerOf(name)) as unknown as Endpoint;

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

describe('without a credential', () => {
  test('what asks for nothing or for a ticket answers, and no other operation', async () => {
    const names = functionFiles()
      .filter(({ path, service }) => path.includes('/endpoints/') && service !== 'sandbox')
      .map(({ service, name }) => `${service}/${name}`);
    const open: string[] = [];
    for (const name of names) {
      const { status } = await call(await endpointOf(name), { address: name, params: { path: 'v1' } });
      if (status !== 401) open.push(name);
    }
    expect(open.toSorted()).toEqual(OPEN.toSorted());
  });

  // An engine that starts asks every service, and so do probes: after 60 calls of somebody else too.
  test.each(SERVICES)('the health of %s is limited by nothing', async (service) => {
    // The compact surface counts its own operation of that name.
    const name = service === 'compact' ? 'get-liveness' : 'get-health';
    const { declaration } = await endpointOf(`${service}/${name}`);
    expect([declaration.rate, declaration.access]).toEqual([undefined, 'public']);
    expect([declaration.route, ...(declaration.aliases ?? [])]).toContain('GET /healthz');
  });

  test.each(SERVICES)(
    'the contract of %s is served with its own base URL, whatever the Host header says',
    async (service) => {
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
      const { status, json, text } = await call(await endpointOf(`${service}/get-openapi`), { headers });
      expect(status).toBe(200);
      expect(json()).toMatchObject({
        openapi: '3.1.0',
        servers: [{ url: `http://localhost:3000/${service}` }],
      });
      expect(text).not.toContain('evil.example');
    },
  );
});
