import { berToDer } from '../der/ber.ts';
import { childrenOf, DerError, type Element, eachChild, readDer, readOid } from '../der/read.ts';
import { context, TAG } from '../der/tags.ts';
import { type Certificate, CertificateMalformed, parseCertificate } from './certificate/certificate.ts';
import { certificatesFromPem } from './pem.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';

// A bundle of all authorities that ICP-Brasil ever had is smaller.
const MAX_CERTIFICATES = 500;

/**
 * Reads the certificates of a file as authorities publish them: one in DER, any in PEM, or a PKCS#7 bundle.
 * Malformed certificates of a bundle are skipped. Throws CertificateMalformed for a file of another kind.
 */
export function readCertificates(bytes: Buffer): Certificate[] {
  if (bytes.subarray(0, 200).includes('-----BEGIN')) return certificatesFromPem(bytes.toString('latin1'));
  try {
    const file = readDer(bytes[1] === 0x80 ? berToDer(bytes) : bytes);
    const [first, content] = childrenOf(file, TAG.SEQUENCE);
    if (first?.tag !== TAG.OID) return [parseCertificate(bytes)];
    return Array.from(eachBundled(first, content)).flatMap(parseOrSkip);
  } catch (cause) {
    if (!(cause instanceof DerError)) throw cause;
    throw new CertificateMalformed(`The file holds no certificates: ${cause.message}`, { cause });
  }
}

function* eachBundled(type: Element, content: Element | undefined): Generator<Element, void> {
  if (readOid(type) !== SIGNED_DATA) throw new DerError('It is not a bundle of certificates.');
  const parts = childrenOf(childrenOf(content, context(0))[0], TAG.SEQUENCE);
  const list = parts.find(({ tag }) => tag === context(0));
  if (!list) return;
  let left = MAX_CERTIFICATES;
  for (const element of eachChild(list)) {
    if (left-- <= 0) return;
    yield element;
  }
}

function parseOrSkip({ raw }: Element): Certificate[] {
  try {
    return [parseCertificate(raw)];
  } catch (error) {
    if (error instanceof CertificateMalformed) return [];
    throw error;
  }
}
