import { commonSettings } from '../settings/common.ts';
import { address, duration, optional, secret } from '../settings/kinds.ts';
import type { PlatformAccess } from './call.ts';

/**
 * The settings of a service that calls a document-signature platform; they are spread into its own table. A service
 * that cannot work without one declares the first two again as required.
 */
export const platformSettings = {
  'Signer:BaseAddress': optional(
    address('', 'The document-signature platform. Without it, this deployment’s own.'),
  ),
  'Signer:ApiKey': secret('', 'The API key for the platform.'),
  'Signer:RequestTimeout': duration(10, 'Time-out of one call to the platform.', { min: 1 }),
};

type Values = {
  readonly 'Signer:BaseAddress': string | undefined;
  readonly 'Signer:ApiKey': string;
  readonly 'Signer:RequestTimeout': number;
};

/** The rule of such a service: an address without its key stops the start. */
export const platformKeyRule = (values: Values): string | undefined =>
  values['Signer:BaseAddress'] !== undefined && values['Signer:ApiKey'] === ''
    ? 'Setting Signer:BaseAddress names a signature service: give its Signer:ApiKey too.'
    : undefined;

/**
 * The access that the settings give, read at each call.
 * @example export const platform = platformClient(platformAccessOf(settings));
 */
export const platformAccessOf = (values: Values): PlatformAccess => ({
  get address() {
    return values['Signer:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/documents`;
  },
  get apiKey() {
    return values['Signer:ApiKey'];
  },
  get requestTimeoutMs() {
    return values['Signer:RequestTimeout'] * 1000;
  },
});
