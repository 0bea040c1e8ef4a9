import type { Caller } from '../../../shared/access/caller.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import type { IdentifierType } from '../contract.ts';
import { errors } from '../errors.ts';
import { type Identifier, parseIdentifier } from './identifier.ts';
import { holdsCertificate } from './providers/discovery.ts';
import { findProvider, listProviders, type Provider } from './providers/provider.ts';
import { ProviderFailure } from './providers/provider-failure.ts';

/** Whether a provider holds a certificate of the identifier, or nothing where it fails to answer. */
async function tryDiscovery(
  caller: Caller,
  provider: Provider,
  identifier: Identifier,
  now: () => number,
): Promise<boolean | undefined> {
  return holdsCertificate(caller, provider, identifier, now).catch(ifThrown(ProviderFailure));
}

/** The providers that hold a certificate of the identifier. All are asked at once; one that fails is left out. */
export async function findHolders(
  caller: Caller,
  identifier: Identifier,
  now: () => number,
): Promise<Provider[]> {
  const all = await listProviders();
  const found = await Promise.all(all.map((provider) => tryDiscovery(caller, provider, identifier, now)));
  return all.filter((_, index) => found[index]);
}

export async function requireProvider(name: string): Promise<Provider> {
  const provider = await findProvider(name);
  if (!provider) throw errors.refuse('ServiceNotFound', { name });
  return provider;
}

/** `identifierType` is CPF when left out. */
type IdentifierRequest = {
  readonly identifier: string;
  readonly identifierType?: IdentifierType | undefined;
};
const identifierOf = ({ identifier, identifierType = 'CPF' }: IdentifierRequest) =>
  parseIdentifier(identifier, identifierType);

export const listHolders = async (caller: Caller, request: IdentifierRequest, now: () => number) =>
  (await findHolders(caller, identifierOf(request), now)).map(renderProvider);

/** Whether one provider answers, and whether it holds a certificate. */
export async function checkAvailability(
  caller: Caller,
  name: string,
  request: IdentifierRequest,
  now: () => number,
) {
  const identifier = identifierOf(request);
  const found = await tryDiscovery(caller, await requireProvider(name), identifier, now);
  return { discoveryAvailable: found !== undefined, certificateFound: found ?? null };
}

/** A provider as the contract shows it. */
export const renderProvider = ({ name, company, baseUrl, badgeUrl }: Provider) => ({
  serviceName: name,
  provider: company,
  endpoint: baseUrl,
  badgeUrl,
});
