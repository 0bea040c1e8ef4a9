import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { pemBlocks } from '../../../../shared/pki/pem.ts';

/** The certificate in a text: PEM or bare Base64, in one line, in several, or with its line breaks written out. */
export function certificateIn(text: string): Certificate | undefined {
  const plain = text.replace(/\\r|\\n/g, '\n');
  const [block] = pemBlocks(plain);
  const bytes = block?.bytes ?? bareBytes(plain);
  if (!bytes) return undefined;
  try {
    return parseCertificate(bytes);
  } catch (error) {
    if (error instanceof CertificateMalformed) return undefined;
    throw error;
  }
}

function bareBytes(text: string): Buffer | undefined {
  const bare = text.replace(/\s+/g, '');
  return /^[\w+/-]+={0,2}$/.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}
