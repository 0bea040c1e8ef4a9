import { type Opened, openStored, sealStored } from '../../../../shared/keyring/stored.ts';
import { logger } from '../../../../shared/log/logger.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';

const log = logger('hub');

type Owner = Pick<Provider, 'name' | 'baseUrl' | 'clientId'>;

// The address is sealed in: a provider whose address was changed in the store does not get the secret.
const sealedOf = ({ name, baseUrl, clientId }: Owner) => ({
  about: JSON.stringify(['hub provider secret', name.toLowerCase(), baseUrl, clientId]),
});

/** A client secret in the form in which the store keeps it. */
export const sealSecret = (owner: Owner, secret: string): Promise<string> =>
  sealStored(sealedOf(owner), secret);

/** The client secret, or why it does not open. */
export const openSecret = (provider: Provider): Promise<Opened> =>
  openStored(sealedOf(provider), provider.sealedSecret);

/** The hub's client secret at this provider. */
export async function secretOf(provider: Provider): Promise<string> {
  const opened = await openSecret(provider);
  if ('plain' in opened) return opened.plain;
  const message = `The client secret of the provider ${provider.name} does not open: ${opened.problem} Or add the provider again.`;
  // The operator must act. To clients it is a provider that fails.
  log.error(message);
  throw new ProviderFailure('refused', provider.name, message);
}
