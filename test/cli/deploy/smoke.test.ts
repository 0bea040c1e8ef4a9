import { beforeAll, describe, expect, test } from 'vitest';
import { smokeTest } from '../../../cli/deploy/smoke.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import { sharedEngine } from '../../servers/shared-engine.ts';

describe('the smoke test of a deployment', () => {
  let url: string;
  beforeAll(async () => {
    url = (await sharedEngine()).url;
  });

  test.each(SERVICES)('finds nothing wrong with %s where it runs', async (service) => {
    expect(await smokeTest(service, url)).toEqual([]);
  });

  test('tells what another address answers, or that none is there', async () => {
    expect(await smokeTest('hub', `${url}/elsewhere`)).toEqual([
      `GET ${url}/elsewhere/hub/healthz was answered with 404, and must be 200.`,
      `GET ${url}/elsewhere/hub/api/sessions/custom-state?session=x was answered with 404, and must be 401.`,
    ]);
    const [first] = await smokeTest('hub', 'http://127.0.0.1:1');
    expect(first).toMatch(/^GET http:\/\/127\.0\.0\.1:1\/hub\/healthz was not answered: /);
  });
});
