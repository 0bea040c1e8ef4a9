import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type Organization,
  organizations,
} from '../../../../../functions/documents/domain/places/organization.ts';
import { createOrganization } from '../../../../../functions/documents/domain/places/organization-roster.ts';
import { handler } from '../../../../../functions/documents/endpoints/organizations/get-organization.ts';
import {
  GUEST_KEY,
  ORGANIZATION_ID,
  PERSONAL_ORGANIZATION_ID,
  SANDBOX_KEY,
} from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { call } from '../../../../requests/http-event.ts';

const ask = (orgId: string, key = SANDBOX_KEY) =>
  call(handler, { params: { orgId }, headers: { 'X-API-Key': key } });

const notFound = (orgId: string) => ({
  code: 'OrganizationNotFound',
  message: expect.any(String),
  resourceName: 'Organization',
  resourceId: orgId,
  details: { resourceName: 'Organization', resourceId: orgId },
});

beforeAll(seedSandbox);

describe('GET /api/organizations/{orgId}', () => {
  // this process   |--answers it                                  |--answers it
  // another                      |--changes its name--200--|
  test('answers an organization as another process changed it', async () => {
    vi.stubEnv('Access__CacheSeconds', '300');
    onTestFinished(() => void vi.stubEnv('Access__CacheSeconds', '0'));
    const displayName = async () =>
      ((await ask(ORGANIZATION_ID)).json() as { branding: { displayName: string } }).branding.displayName;
    expect(await displayName()).toBe('Sandbox Organization');
    const changeElsewhere = async (branding: Organization['branding']) => {
      const found = await organizations.get(ORGANIZATION_ID);
      if (found) await organizations.change(found, { branding });
    };
    await changeElsewhere({ displayName: 'Changed', color: null, logoVersion: null });
    expect(await displayName()).toBe('Changed');
    await changeElsewhere(undefined);
  });

  test('answers an organization that the key is scoped to', async () => {
    const { status, json } = await ask(ORGANIZATION_ID);
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: ORGANIZATION_ID,
      name: 'Sandbox Organization',
      identifier: '11222333000181',
      owner: { id: '17c16659-f2a7-8dad-a43b-4746a4571815', name: 'SANDBOX HOLDER 52998224725' },
      branding: { displayName: 'Sandbox Organization', logoUrl: null, color: null },
      webhooks: expect.any(Array),
      mail: { enabled: false, requiresCode: false },
    });
  });

  test('answers a personal organization with no identifier', async () => {
    expect((await ask(PERSONAL_ORGANIZATION_ID)).json()).toMatchObject({ identifier: null });
  });

  test.each(['users', 'invoices', 'not-known'])(
    'answers %s, which is no id, as an unknown path',
    async (word) => {
      const { status, json } = await ask(word);
      expect([status, json()]).toMatchObject([404, { code: 'EndpointNotFound' }]);
    },
  );

  test('answers 404 naming the resource where there is none', async () => {
    const orgId = randomUUID();
    const { status, json } = await ask(orgId);
    expect(status).toBe(404);
    expect(json()).toEqual(notFound(orgId));
  });

  test('answers an organization outside the scope of the key exactly as one that does not exist', async () => {
    const id = randomUUID();
    await createOrganization(
      { id, name: 'Another', identifier: null, owner: { id: 'o', name: 'O' } },
      Date.now(),
    );
    const { status, json } = await ask(id);
    expect(status).toBe(404);
    expect(json()).toEqual(notFound(id));
    expect((await ask(ORGANIZATION_ID, GUEST_KEY)).json()).toEqual(notFound(ORGANIZATION_ID));
  });
});
