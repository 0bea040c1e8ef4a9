import { afterEach, expect, test, vi } from 'vitest';
import { embedOriginsOf } from '../../../../../functions/documents/domain/places/embedding.ts';
import { handler } from '../../../../../functions/documents/endpoints/organizations/update-embedding.ts';
import { call } from '../../../../requests/http-event.ts';
import { ownOrganization } from '../../own-organization.ts';

afterEach(() => vi.unstubAllEnvs());

const put = (orgId: string, key: string, origins: readonly string[]) =>
  call(handler, { method: 'PUT', params: { orgId }, headers: { 'X-API-Key': key }, json: { origins } });

test('an organization registers origins as browsers write them, in place of those before', async () => {
  const { orgId, key } = await ownOrganization();
  const answer = await put(orgId, key, [
    'https://App.example/',
    'https://app.example',
    'http://10.0.0.1:8080',
  ]);
  expect(answer.json()).toEqual({ origins: ['https://app.example', 'http://10.0.0.1:8080'] });
  expect((await put(orgId, key, [])).json()).toEqual({ origins: [] });
});

test.each(['https://a.example/path', 'ftp://a.example', '*', "https://a.example;script-src'x'", 'a.example'])(
  'a text that is no origin is refused: %s',
  async (wrong) => {
    const { orgId, key } = await ownOrganization();
    expect([
      (await put(orgId, key, [wrong])).status,
      (await put(orgId, key, Array(21).fill('https://a.example'))).status,
    ]).toEqual([400, 400]);
  },
);

test('a key registers nothing for the organization of another', async () => {
  const [mine, other] = [await ownOrganization(), await ownOrganization()];
  expect((await put(mine.orgId, other.key, ['https://evil.example'])).status).toBe(404);
});

test('other ports of the machine may embed on the local stage alone', () => {
  expect(embedOriginsOf(undefined)).toEqual(['http://localhost:*', 'http://127.0.0.1:*']);
  vi.stubEnv('STAGE', 'prod');
  expect(embedOriginsOf(undefined)).toEqual([]);
});
