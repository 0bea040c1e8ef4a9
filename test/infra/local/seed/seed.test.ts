import { beforeAll, expect, test } from 'vitest';
import { eachOrganization } from '../../../../functions/documents/domain/places/organization-roster.ts';
import { deleteOrganization } from '../../../../functions/documents/domain/removal/delete-organization.ts';
import {
  ORGANIZATION_ID,
  PERSONAL_ORGANIZATION_ID,
  registeredFor,
  SANDBOX_KEY,
} from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import {
  expireKey,
  issueKey,
  registerValue,
  unregisterValue,
} from '../../../../shared/access/administration.ts';
import { applications, findAcceptedKey } from '../../../../shared/access/applications.ts';
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
  const [ours = ''] = registeredFor('http://localhost:3000').redirectUris ?? [];
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
  expect(await states()).toEqual({ [ORGANIZATION_ID]: 'Active', [PERSONAL_ORGANIZATION_ID]: 'Active' });
  await deleteOrganization(PERSONAL_ORGANIZATION_ID, Date.now());
  await seedSandbox();
  expect(await states()).toEqual({ [ORGANIZATION_ID]: 'Active', [PERSONAL_ORGANIZATION_ID]: 'Deleting' });
});
