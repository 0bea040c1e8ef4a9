import type { Certificate } from '../../pki/certificate/certificate.ts';
import { displayName } from '../../pki/findings/display.ts';
import { icpBrasilIdentity } from '../../pki/icp-brasil/icp-brasil.ts';

/**
 * The name of the holder, without the number that ICP-Brasil appends to the common name.
 * @example holderName(certificate) // 'ANA PRADO'
 */
export function holderName(certificate: Certificate): string {
  const { holder, companyName, personName } = icpBrasilIdentity(certificate);
  return (holder === 'company' ? companyName : personName) ?? displayName(certificate);
}
