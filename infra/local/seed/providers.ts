import { opensSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import { findProvider, type Provider } from '../../../functions/hub/domain/providers/provider.ts';
import { type NewProvider, putProvider } from '../../../functions/hub/domain/providers/register-provider.ts';
import { commonSettings } from '../../../shared/settings/common.ts';

/** Puts the sandbox's cloud certificate providers in place. What an operator changed at one since stays. */
export async function seedProviders(): Promise<void> {
  const root = commonSettings['Http:PublicUrl'];
  await Promise.all(
    sandboxProviders(root).map(async (provider) => {
      const known = await findProvider(provider.name);
      if (!known || isOfAnotherStart(known, provider)) await putProvider(provider);
    }),
  );
}

// The engine may listen elsewhere than last time, or have another key than the store that it was pointed at.
const isOfAnotherStart = (known: Provider, { baseUrl }: NewProvider): boolean =>
  known.baseUrl !== baseUrl || !opensSecret(known);

/** The ways in which providers differ, spread over two; the third never answers. */
const sandboxProviders = (rootUrl: string): NewProvider[] => [
  provider(rootUrl, { name: 'alpha', company: 'Alpha Certificates' }),
  provider(rootUrl, {
    name: 'beta',
    company: 'Beta Trust Services',
    hashEncoding: 'hex',
    tokenBody: 'json',
    hashesPerCall: 5,
    sendsAlias: false,
    discovery: 'application-token',
  }),
  provider(rootUrl, { name: 'gamma', company: 'Gamma Silent Services' }),
];

const provider = (
  rootUrl: string,
  own: Pick<NewProvider, 'name' | 'company'> & Partial<NewProvider>,
): NewProvider => ({
  baseUrl: `${rootUrl}/sandbox/providers/${own.name}/v0/oauth`,
  badgeUrl: null,
  clientId: 'sinete-hub',
  clientSecret: 'sinete-local-secret',
  hashEncoding: 'base64',
  tokenBody: 'form',
  hashesPerCall: 100,
  sendsAlias: true,
  discovery: 'client',
  timeouts: {},
  ...own,
});
