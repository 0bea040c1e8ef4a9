import { openSecret } from '../../../functions/hub/domain/providers/client-secret.ts';
import { findProvider, type Provider } from '../../../functions/hub/domain/providers/provider.ts';
import {
  putProvider,
  type RegisterProviderRequest,
} from '../../../functions/hub/domain/providers/register-provider.ts';
import { commonSettings } from '../../../shared/settings/common.ts';

/** Seeds the sandbox's cloud certificate providers. Changes of an operator stay. */
export async function seedProviders(): Promise<void> {
  const root = commonSettings['Http:PublicUrl'];
  await Promise.all(
    sandboxProviders(root).map(async (provider) => {
      const known = await findProvider(provider.name);
      if (!known || (await isOfAnotherStart(known, provider))) await putProvider(provider);
    }),
  );
}

// The engine may have another address than last time, or another sealing key than its store.
const isOfAnotherStart = async (known: Provider, { baseUrl }: RegisterProviderRequest): Promise<boolean> =>
  known.baseUrl !== baseUrl || 'problem' in (await openSecret(known));

/** Two providers that differ in every way that providers do; the third never answers. */
const sandboxProviders = (rootUrl: string): RegisterProviderRequest[] => [
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
  own: Pick<RegisterProviderRequest, 'name' | 'company'> & Partial<RegisterProviderRequest>,
): RegisterProviderRequest => ({
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
