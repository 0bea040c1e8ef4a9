import type { SignaturePolicy } from '../../../../../shared/signing/cms/policy.ts';
import { readPolicy } from '../../../../../shared/signing/policy-file.ts';
import { settings } from '../../../settings.ts';

/**
 * The signature policy of a format, as the settings name it; undefined where they name none. Throws PolicyUnusable.
 * @example const policy = policyOf('Pades');
 */
export function policyOf(format: 'Pades' | 'Cades' | 'Xades'): SignaturePolicy | undefined {
  const file = settings[`Signing:Policies:${format}`];
  return file ? readPolicy(file, settings[`Signing:PolicyUris:${format}`]) : undefined;
}
