import { createHash } from 'node:crypto';
import { DerError, expectTag, readDer } from '../../../der/read.ts';
import { TAG } from '../../../der/tags.ts';
import { explicit, NULL, octetString, oid, sequence } from '../../../der/write.ts';
import type { Certificate } from '../../certificate/certificate.ts';
import type { OcspResponse } from './response.ts';

export const OCSP_NONCE = '1.3.6.1.5.5.7.48.1.2';
const SHA1 = '1.3.14.3.2.26';

/**
 * An OCSPRequest for one certificate (RFC 6960, 4.1). SHA-1 only identifies the issuer, and every responder supports
 * it. @example ocspRequest(certificate, issuer, randomBytes(16))
 */
export function ocspRequest(certificate: Certificate, issuer: Certificate, nonce?: Uint8Array): Buffer {
  const certificateId = sequence(
    sequence(oid(SHA1), NULL),
    octetString(sha1(issuer.subject.der)),
    octetString(sha1(issuer.keyBits)),
    certificate.serialDer,
  );
  const extensions =
    nonce && explicit(2, sequence(sequence(oid(OCSP_NONCE), octetString(octetString(nonce)))));
  return sequence(sequence(sequence(sequence(certificateId)), ...(extensions ? [extensions] : [])));
}

const sha1 = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest();

/**
 * Whether a response may answer the request with this nonce (RFC 6960, 4.4.1). Responders that sign in advance omit the
 * nonce; then only their dates count. Replay: a different nonce belongs to another request.
 */
export function acceptsNonce({ extensions }: OcspResponse, nonce: Buffer): boolean {
  const extension = extensions.get(OCSP_NONCE);
  if (!extension) return true;
  try {
    return expectTag(readDer(extension.value), TAG.OCTET_STRING).content.equals(nonce);
  } catch (error) {
    // Some old responders write the nonce without the OCTET STRING.
    if (error instanceof DerError) return extension.value.equals(nonce);
    throw error;
  }
}
