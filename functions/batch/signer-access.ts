import { commonSettings } from '../../shared/settings/common.ts';
import { settings } from './settings.ts';

/** How the external signature service is reached. Undefined where none is configured. */
export function signerAccess() {
  const apiKey = settings['Signer:ApiKey'];
  if (apiKey === '') return undefined;
  return {
    address: settings['Signer:BaseAddress'] ?? `${commonSettings['Http:PublicUrl']}/documents`,
    apiKey,
    requestTimeoutMs: settings['Signer:RequestTimeout'] * 1000,
  };
}
