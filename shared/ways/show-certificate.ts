import type { Certificate } from '../pki/certificate/certificate.ts';
import { displayNameOf } from '../pki/findings/display.ts';
import { icpBrasilIdentity } from '../pki/icp-brasil/icp-brasil.ts';
import type { ShownCertificate } from './contract.ts';

/** @example showCertificate(certificate).holder // 'ANA SOUZA' */
export function showCertificate(certificate: Certificate): ShownCertificate {
  const { sha256, subject, issuer, notAfterMs } = certificate;
  const { personName, companyName, cnpj, holder } = icpBrasilIdentity(certificate);
  const name = displayNameOf(subject);
  return {
    sha256,
    holder: personName ?? name,
    company: holder === 'company' ? { name: companyName ?? name, cnpj: cnpj ?? '' } : null,
    issuer: displayNameOf(issuer),
    validUntil: new Date(notAfterMs).toISOString(),
  };
}
