import { beforeAll, expect, test, vi } from 'vitest';
import { institutes } from '../../../../functions/credentials/tenants/domain/organization.ts';
import { webhooks } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { eachOrganization } from '../../../../functions/documents/domain/places/organization-roster.ts';
import { deleteOrganization } from '../../../../functions/documents/domain/removal/delete-organization.ts';
import {
  CREDENTIALS_ORGANIZATION_ID,
  INSTITUTE_ID,
  ORGANIZATION_ID,
  PERSONAL_ORGANIZATION_ID,
  REGISTRAR_ID,
  registeredFor,
  SANDBOX_KEY,
  UNIVERSITY_ID,
} from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import {
  expireKey,
  issueKey,
  registerValue,
  unregisterValue,
} from '../../../../shared/access/administration.ts';
import { applications, findAcceptedKey } from '../../../../shared/access/applications.ts';
import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { removeWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { ownStores } from '../../../functions/own-stores.ts';

beforeAll(ownStores);

const accepted = async (text: string) =>
  findAcceptedKey(await applications('session').get('sandbox'), text, Date.now()) !== undefined;

test('what an operator did to a seeded application outlives the next start', async () => {
  await seedSandbox();
  expect(await accepted(SANDBOX_KEY)).toBe(true);

  const { text } = await issueKey('session', 'sandbox');
  await expireKey('session', 'sandbox', 'sandbox-key', '2020-01-01T00:00:00.000Z');
  await seedSandbox();

  expect(await accepted(SANDBOX_KEY)).toBe(false);
  expect(await accepted(text)).toBe(true);
});

test('what is registered follows the address of the engine, beside what an operator registered', async () => {
  await seedSandbox();
  await registerValue('hub', 'sandbox', 'redirectUris', 'https://acme.example/return');
  const [ours = ''] = registeredFor('hub', 'http://localhost:3000').redirectUris ?? [];
  await unregisterValue('hub', 'sandbox', 'redirectUris', ours);
  await seedSandbox();

  const found = await applications('hub').get('sandbox');
  expect(found?.registered.redirectUris).toEqual(
    expect.arrayContaining([ours, 'https://acme.example/return']),
  );
});

test('organizations are on the roster of all there are, and one that an operator deleted stays so', async () => {
  await Promise.all([seedSandbox(), seedSandbox()]);
  const states = async () => {
    const found: Record<string, string> = {};
    for await (const { id, state } of eachOrganization()) found[id] = state;
    return found;
  };
  const active = { [ORGANIZATION_ID]: 'Active', [CREDENTIALS_ORGANIZATION_ID]: 'Active' };
  expect(await states()).toEqual({ ...active, [PERSONAL_ORGANIZATION_ID]: 'Active' });
  await deleteOrganization(PERSONAL_ORGANIZATION_ID, Date.now());
  await seedSandbox();
  expect(await states()).toEqual({ ...active, [PERSONAL_ORGANIZATION_ID]: 'Deleting' });
});

test('a key is scoped to the organizations of its service', async () => {
  const scopeOf = async (service: 'documents' | 'credentials') =>
    (await applications(service).get('sandbox'))?.registered.organizations;
  // A data folder of an earlier release.
  await registerValue('credentials', 'sandbox', 'organizations', ORGANIZATION_ID);
  await registerValue('credentials', 'sandbox', 'organizations', PERSONAL_ORGANIZATION_ID);
  await seedSandbox();
  expect(await scopeOf('credentials')).toEqual([UNIVERSITY_ID, REGISTRAR_ID]);
  expect((await scopeOf('documents'))?.[0]).toBe(ORGANIZATION_ID);
});

test('the signers of an institute that an operator changed stay as they are', async () => {
  await seedSandbox();
  const institute = await institutes.get(INSTITUTE_ID);
  if (!institute) throw new Error('no institute');
  expect(institute.signers.map(({ cpf, step }) => [cpf, step])).toEqual([
    ['52998224725', 1],
    ['47363361886', 2],
  ]);
  await institutes.change(institute, { signers: [] });
  await seedSandbox();
  expect(await institutes.get(INSTITUTE_ID)).toMatchObject({ signers: [] });
});

test('one webhook of the document platform follows the address of the engine, and stays deleted', async () => {
  const urls = async () =>
    (await listWebhooks(webhooks, CREDENTIALS_ORGANIZATION_ID)).map(({ url, authType }) => [authType, url]);
  await Promise.all([seedSandbox(), seedSandbox()]);
  expect(await urls()).toEqual([['ApiKey', 'http://localhost:3000/credentials/api/degrees/webhook']]);
  vi.stubEnv('Http__PublicUrl', 'http://localhost:3999');
  await seedSandbox();
  expect(await urls()).toEqual([['ApiKey', 'http://localhost:3999/credentials/api/degrees/webhook']]);
  await removeWebhook(webhooks, CREDENTIALS_ORGANIZATION_ID, 'sandbox-credentials');
  await seedSandbox();
  expect(await urls()).toEqual([]);
});
