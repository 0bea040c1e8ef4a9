import type { Caller } from '../../../shared/access/caller.ts';
import { errors } from '../errors.ts';
import { type Identifier, parseIdentifier } from './identifier.ts';
import { holdsCertificate } from './providers/discovery.ts';
import { findProvider, listProviders, type Provider } from './providers/provider.ts';
import { ProviderFailure } from './providers/provider-failure.ts';

/** Whether a provider holds a certificate, or nothing where it did not say. */
async function asked(
  provider: Provider,
  identifier: Identifier,
  { application }: Caller,
): Promise<boolean | undefined> {
  try {
    return await holdsCertificate({ ...provider, askedBy: application }, identifier);
  } catch (error) {
    if (error instanceof ProviderFailure) return undefined;
    throw error;
  }
}

/** Those that hold a certificate for the identifier. All are asked side by side, and one that fails is left out. */
export async function findHolders(identifier: Identifier, caller: Caller): Promise<Provider[]> {
  const all = await listProviders();
  const found = await Promise.all(all.map((provider) => asked(provider, identifier, caller)));
  return all.filter((_, index) => found[index]);
}

/** The provider of this name. */
export async function requireProvider(name: string): Promise<Provider> {
  const provider = await findProvider(name);
  if (!provider) throw errors.refuse('ServiceNotFound', { name });
  return provider;
}

/** Whose certificate a query asks for: a CPF's where it does not say. */
type Query = { readonly identifier: string; readonly identifierType?: Identifier['type'] | undefined };
const askedFor = ({ identifier, identifierType = 'CPF' }: Query) =>
  parseIdentifier(identifier, identifierType);

/** What is known of the providers that hold a certificate. */
export const listHolders = async (query: Query, caller: Caller) =>
  (await findHolders(askedFor(query), caller)).map(renderProvider);

/** Whether one provider answers, and what. */
export async function checkAvailability(name: string, query: Query, caller: Caller) {
  const identifier = askedFor(query);
  const found = await asked(await requireProvider(name), identifier, caller);
  return { discoveryAvailable: found !== undefined, certificateFound: found ?? null };
}

/** What clients are told of a provider. */
export const renderProvider = ({ name, company, baseUrl, badgeUrl }: Provider) => ({
  serviceName: name,
  provider: company,
  endpoint: baseUrl,
  badgeUrl,
});
