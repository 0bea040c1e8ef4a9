import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProvider } from '../../../../functions/hub/domain/providers/provider.ts';
import { putProvider } from '../../../../functions/hub/domain/providers/register-provider.ts';
import { seedProviders } from '../../../../infra/local/seed/providers.ts';
import { ownStores } from '../../../functions/own-stores.ts';

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await ownStores();
});
afterAll(() => stop());

describe('the providers of the sandbox', () => {
  test('are alpha, beta and gamma, where the sandbox serves them', async () => {
    await seedProviders();
    const found = await Promise.all(['alpha', 'beta', 'gamma'].map(findProvider));
    expect(found.map((each) => each?.baseUrl.replace(/^.*(?=\/sandbox)/, ''))).toEqual(
      ['alpha', 'beta', 'gamma'].map((name) => `/sandbox/providers/${name}/v0/oauth`),
    );
  });

  test('stay as an operator changed them, but for an address of another start', async () => {
    await seedProviders();
    const alpha = await findProvider('alpha');
    if (!alpha) throw new Error('alpha should be there.');
    const { sealedSecret, version, ...facts } = alpha;
    await putProvider({ ...facts, company: 'Changed by hand', clientSecret: 'x' });
    await seedProviders();
    expect(await findProvider('alpha')).toMatchObject({ company: 'Changed by hand' });
    await putProvider({ ...facts, baseUrl: 'http://localhost:1/oauth', clientSecret: 'x' });
    await seedProviders();
    expect(await findProvider('alpha')).toMatchObject({ company: facts.company, baseUrl: facts.baseUrl });
  });
});
