import { type Certificate, CertificateMalformed, parseCertificate } from './certificate/certificate.ts';

// ReDoS: a body has no dash, so a text of a thousand BEGIN lines without an END is read once.
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;
const CERTIFICATE_LABELS = new Set(['CERTIFICATE', 'X509 CERTIFICATE']);

export type PemBlock = { readonly label: string; readonly bytes: Buffer };

/** Every block of a PEM text (RFC 7468); text between the blocks is ignored. @example pemBlocks(text)[0]?.label */
export const pemBlocks = (text: string): PemBlock[] =>
  Array.from(text.matchAll(BLOCK), ([, label = '', body = '']) => ({
    label,
    bytes: Buffer.from(body, 'base64'),
  }));

/**
 * Every certificate of a PEM text, in order; other blocks are ignored.
 * @example const [root] = certificatesFromPem(readFileSync('root.crt', 'latin1'));
 */
export function certificatesFromPem(text: string): Certificate[] {
  return pemBlocks(text)
    .filter(({ label }) => CERTIFICATE_LABELS.has(label))
    .map(({ bytes }, i) => {
      try {
        return parseCertificate(bytes);
      } catch (cause) {
        if (!(cause instanceof CertificateMalformed)) throw cause;
        throw new CertificateMalformed(`Certificate ${i + 1} of the PEM text: ${cause.message}`, { cause });
      }
    });
}

/** @example writePem('CERTIFICATE', certificate.der) */
export function writePem(label: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

/**
 * Parses the certificate of a request: base64 of its DER, or PEM text. Throws CertificateMalformed.
 * @example const certificate = parseCertificateText(body.certificate);
 */
export function parseCertificateText(text: string): Certificate {
  if (!text.includes('-----BEGIN')) return parseCertificate(Buffer.from(text, 'base64'));
  const [found] = certificatesFromPem(text);
  if (!found) throw new CertificateMalformed('The PEM text contains no certificate.');
  return found;
}
