import { seal, unseal } from '../../../../shared/access/seal.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { settings } from '../../settings.ts';
import type { Provider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';

const log = logger('hub');

type Owner = Pick<Provider, 'name' | 'baseUrl' | 'clientId'>;

// The address is sealed in: a provider whose address was changed in the store does not get the secret.
const keyFor = ({ name, baseUrl, clientId }: Owner) => ({
  secret: sealingKey(),
  about: JSON.stringify(['hub provider secret', name.toLowerCase(), baseUrl, clientId]),
});

function sealingKey(): Buffer {
  const key = settings['Providers:SealingKey'];
  if (key !== '') return Buffer.from(key, 'base64');
  throw new Error(
    'Setting Providers:SealingKey (Providers__SealingKey) is not set: the secrets of providers are sealed with it. Give the key that the stage has, or make one with openssl rand -base64 32.',
  );
}

/** A client secret in the form in which the store keeps it. */
export const sealSecret = (owner: Owner, secret: string): string => seal(keyFor(owner), secret);

/** Whether the secret opens with the present Providers:SealingKey. */
export const opensSecret = (provider: Provider): boolean =>
  unseal(keyFor(provider), provider.sealedSecret) !== undefined;

/** The hub's client secret at this provider. */
export function secretOf(provider: Provider): string {
  const secret = unseal(keyFor(provider), provider.sealedSecret);
  if (secret !== undefined) return secret;
  const message = `The client secret of the provider ${provider.name} does not open: Providers:SealingKey is another one, or its address was changed in the store. Add the provider again.`;
  // The operator must act. To clients it is a provider that fails.
  log.error(message);
  throw new ProviderFailure('refused', provider.name, message);
}
