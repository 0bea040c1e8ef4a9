import { certificatesFromPem } from '../pem.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from './certificate.ts';

/**
 * The certificate in a request: its DER as base64, or PEM text. Throws CertificateMalformed.
 * @example const certificate = offeredCertificate(body.certificate);
 */
export function offeredCertificate(text: string): Certificate {
  if (!text.includes('-----BEGIN')) return parseCertificate(Buffer.from(text, 'base64'));
  const [found] = certificatesFromPem(text);
  if (!found) throw new CertificateMalformed('The PEM text holds no certificate.');
  return found;
}
