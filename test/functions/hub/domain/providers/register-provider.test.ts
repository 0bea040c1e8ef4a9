import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { secretOf } from '../../../../../functions/hub/domain/providers/client-secret.ts';
import { findProvider, listProviders } from '../../../../../functions/hub/domain/providers/provider.ts';
import {
  addProvider,
  type RegisterProviderRequest,
  removeProvider,
} from '../../../../../functions/hub/domain/providers/register-provider.ts';
import { ring } from '../../../../certificates/rings.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { wholeTable } from '../../../../stores/whole-table.ts';
import { ownStores } from '../../../own-stores.ts';
import { captureLog } from '../../../session/captured-log.ts';

// Creating a session asks every provider that there is: other tests should not meet these.
await forFile(ownStores());

const CLIENT_SECRET = 'a secret of a provider 90125';

// A number of the public internet, so that no name has to be resolved.
const wish = (own: Partial<RegisterProviderRequest> = {}): RegisterProviderRequest => ({
  name: `Test-${randomUUID().slice(0, 8)}`,
  company: 'A Company',
  baseUrl: 'https://8.8.8.8/v0/oauth',
  badgeUrl: null,
  clientId: 'hub-client',
  clientSecret: CLIENT_SECRET,
  hashEncoding: 'hex',
  tokenBody: 'form',
  hashesPerCall: 5,
  sendsAlias: true,
  discovery: 'client',
  timeouts: { signatureSeconds: 60 },
  ...own,
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a provider', () => {
  test('is found by its name in large or small letters, listed by name, and gone when it is removed', async () => {
    const { clientSecret, ...one } = wish();
    await addProvider({ ...one, clientSecret });
    for (const name of [one.name, one.name.toLowerCase(), one.name.toUpperCase()])
      expect(await findProvider(name)).toMatchObject(one);
    const names = (await listProviders()).map(({ name }) => name.toLowerCase());
    expect(names).toContain(one.name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    await removeProvider(one.name.toUpperCase());
    expect(await findProvider(one.name)).toBeUndefined();
    await expect(removeProvider(one.name)).rejects.toThrow(`There is no provider "${one.name}"`);
  });

  test('is not changed by adding another of its name, unless that is said', async () => {
    const one = wish();
    await addProvider(one);
    const other = { ...one, name: one.name.toUpperCase(), company: 'Another' };
    await expect(addProvider(other)).rejects.toThrow('already. To change it, add --replace.');
    await addProvider(other, { replace: true });
    expect(await findProvider(one.name)).toMatchObject({ company: 'Another' });
  });

  test('is not found by what cannot be a name', async () => {
    for (const name of ['', '#', 'a b', 'x'.repeat(2_000), '../alpha'])
      expect(await findProvider(name)).toBeUndefined();
  });
});

describe('its client secret', () => {
  test('is kept sealed, and is nowhere in the store in clear', async () => {
    const stored = await addProvider(wish());
    expect(await secretOf(stored)).toBe(CLIENT_SECRET);
    const table = await wholeTable('hub');
    expect(table).toContain(stored.name);
    for (const encoding of ['utf8', 'base64', 'hex'] as const)
      expect(table).not.toContain(Buffer.from(CLIENT_SECRET).toString(encoding));
  });

  test('opens for this name, address and client alone, and with this key', async () => {
    const stored = await addProvider(wish());
    const lost = expect.objectContaining({ reason: 'refused', provider: expect.any(String) });
    const quiet = captureLog();
    for (const changed of [{ name: 'other' }, { baseUrl: 'https://8.8.4.4/v0/oauth' }, { clientId: 'other' }])
      await expect(secretOf({ ...stored, ...changed })).rejects.toEqual(lost);
    for (const keys of [ring(9), '']) {
      vi.stubEnv('Sealing__Keys', keys);
      await expect(secretOf(stored)).rejects.toThrow('which Sealing:Keys does not have');
    }
    quiet.restore();
    await expect(addProvider(wish())).rejects.toThrow('Sealing:Keys (Sealing__Keys) is not set');
  });
});

describe('a provider is refused', () => {
  test.each([
    ['a private address', { baseUrl: 'https://10.0.0.1/v0/oauth' }, /not on the public internet/],
    ['a loopback address', { baseUrl: 'https://127.1/v0/oauth' }, /not on the public internet/],
    [
      'the address of cloud metadata',
      { baseUrl: 'https://169.254.169.254/oauth' },
      /not on the public internet/,
    ],
    [
      'a name that leads to this machine',
      { baseUrl: 'https://localhost/oauth' },
      /not on the public internet/,
    ],
    ['a name that leads nowhere', { baseUrl: 'https://nowhere.invalid/oauth' }, /has no address/],
    ['an address in clear', { baseUrl: 'http://8.8.8.8/v0/oauth' }, /is not https/],
    ['an address that ends elsewhere', { baseUrl: 'https://8.8.8.8/v0' }, /up to and with \/oauth/],
    ['an address with a blank', { baseUrl: 'https://8.8.8.8/a b/oauth' }, /up to and with \/oauth/],
    ['an address with a backslash', { baseUrl: 'https://8.8.8.8\\@evil.example/oauth' }, /up to and with/],
    ['an address with a query', { baseUrl: 'https://8.8.8.8/oauth?x=/oauth' }, /up to and with \/oauth/],
    ['an address with a user', { baseUrl: 'https://u:p@8.8.8.8/oauth' }, /user name or password/],
    ['a name that is none', { name: 'a/b' }, /cannot be a provider's name/],
    ['no company', { company: ' ' }, /--company/],
    ['no client id', { clientId: '' }, /--client-id/],
    ['no secret', { clientSecret: '' }, /secret is empty/],
    ['a logo that is no address', { badgeUrl: 'javascript:alert(1)' }, /address of a logo/],
    ['no hashes a call', { hashesPerCall: 0 }, /from 1 to/],
    ['a time-out longer than the request', { timeouts: { signatureSeconds: 500 } }, /from 1 to 100 seconds/],
  ])('for %s', async (_, own, why) => {
    const one = wish(own);
    await expect(addProvider(one)).rejects.toThrow(why);
    expect(await findProvider(one.name)).toBeUndefined();
  });

  test('for its private address no more where the setting allows it', async () => {
    vi.stubEnv('Network__AllowPrivateAddresses', 'true');
    await expect(addProvider(wish({ baseUrl: 'http://127.0.0.1:9/oauth' }))).resolves.toBeDefined();
  });
});
