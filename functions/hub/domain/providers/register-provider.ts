import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { checkAddress } from '../../../../shared/net/check-address.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { sealSecret } from './client-secret.ts';
import {
  findProvider,
  listProviders,
  MAX_PROVIDERS,
  PROVIDER_NAME,
  type Provider,
  providers,
} from './provider.ts';

export type RegisterProviderRequest = Omit<Provider, 'sealedSecret'> & { readonly clientSecret: string };

// Printable characters only, as a form or a header carries them. Longer than any seen so far.
const CREDENTIAL = /^[\x20-\x7e]{1,1000}$/;
// Users are sent to it as it is written, so it holds nothing that a browser would rewrite.
const BASE = /^https?:\/\/(?:(?![?#\\])[!-~])+\/oauth$/;
const MAX_HASHES = 1_000;
// The signing function has two minutes, and may have to read the certificates first.
const MAX_SECONDS = 100;

/** Stores a provider without checks, and replaces one of the same name. */
export const putProvider = async ({
  clientSecret,
  ...provider
}: RegisterProviderRequest): Promise<Provider> =>
  providers.put(await withSealedSecret(provider, clientSecret));

const withSealedSecret = async (
  provider: Omit<Provider, 'sealedSecret'>,
  secret: string,
): Promise<Provider> => ({ ...provider, sealedSecret: await sealSecret(provider, secret) });

/** Adds a provider, or with `replace` replaces the one of its name. Throws AdminRefusal. */
export async function addProvider(
  { clientSecret, ...provider }: RegisterProviderRequest,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<Provider> {
  requireValid(provider, clientSecret);
  await requireReachable(provider.baseUrl);
  const known = await findProvider(provider.name);
  if (!known && (await listProviders()).length >= MAX_PROVIDERS)
    throw new AdminRefusal(`There are ${MAX_PROVIDERS} providers, and more are not asked. Remove one first.`);
  if (replace) return putProvider({ ...provider, clientSecret });
  const sealed = await withSealedSecret(provider, clientSecret);
  return providers.create(sealed).catch((error: unknown) => {
    if (!(error instanceof AlreadyExists)) throw error;
    throw new AdminRefusal(`There is a provider "${provider.name}" already. To change it, add --replace.`);
  });
}

/** Removes a provider: its sessions are refused from now on. Throws AdminRefusal. */
export async function removeProvider(name: string): Promise<Provider> {
  const provider = await requireRegistered(name);
  await providers.delete(provider);
  return provider;
}

export async function requireRegistered(name: string) {
  const provider = await findProvider(name);
  if (!provider)
    throw new AdminRefusal(`There is no provider "${name}". See: npm run admin -- hub providers list`);
  return provider;
}

function requireValid(provider: Omit<RegisterProviderRequest, 'clientSecret'>, secret: string): void {
  const { name, company, baseUrl, badgeUrl, clientId, hashesPerCall, timeouts } = provider;
  const refuse = (why: string): never => {
    throw new AdminRefusal(why);
  };
  if (!PROVIDER_NAME.test(name))
    refuse(`"${name}" cannot be a provider's name: use 1 to 40 letters, digits, dots, dashes.`);
  if (company.trim() === '') refuse('Say who operates the provider: --company NAME.');
  if (!CREDENTIAL.test(clientId)) refuse('Give the client id that the provider issued: --client-id ID.');
  if (!CREDENTIAL.test(secret))
    refuse('The client secret is empty, too long, or holds characters that a form cannot carry.');
  if (!BASE.test(baseUrl))
    refuse(`"${baseUrl}" is no base address: give it up to and with /oauth, as https://host/v0/oauth.`);
  if (badgeUrl !== null && !/^https?:$/.test(URL.parse(badgeUrl)?.protocol ?? ''))
    refuse(`"${badgeUrl}" is no address of a logo: give an absolute http or https address.`);
  if (!isBetween(hashesPerCall, MAX_HASHES)) refuse(`Hashes a call are from 1 to ${MAX_HASHES}.`);
  for (const [kind, seconds] of Object.entries(timeouts))
    if (!isBetween(seconds, MAX_SECONDS))
      refuse(
        `The time-out of ${kind.replace(/Seconds$/, '')} is ${seconds}: it must be from 1 to ${MAX_SECONDS} seconds.`,
      );
}

const isBetween = (value: number, max: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= max;

/** The address gets a secret: it must be https and public, except in a sandbox. */
async function requireReachable(baseUrl: string): Promise<void> {
  const allowPrivateAddresses = commonSettings['Network:AllowPrivateAddresses'];
  if (!allowPrivateAddresses && !baseUrl.startsWith('https:'))
    throw new AdminRefusal(`${baseUrl} is not https, and the client secret would be sent there in clear.`);
  await checkAddress(baseUrl, { allowPrivateAddresses }).catch((error: unknown) => {
    throw error instanceof FetchFailed ? new AdminRefusal(error.message) : error;
  });
}
