import { explicit, octetString, oid, sequence, setOf, time } from '../../der/write.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { hashOf } from '../digest.ts';
import { ATTRIBUTE } from './oids.ts';
import { policyIdentifier, type SignaturePolicy } from './policy.ts';

export const attribute = (type: string, ...values: Buffer[]): Buffer => sequence(oid(type), setOf(...values));

export type SignedContent = {
  readonly contentType: string;
  readonly contentDigest: Buffer;
  readonly certificate: Certificate;
  /** Left out in PDF signatures, whose dictionary tells the time. */
  readonly signingTimeMs?: number | undefined;
  readonly policy?: SignaturePolicy | undefined;
};

/** The SET that is signed: what is signed, of which type, by whom, and under which rules. */
export function signedAttributes(content: SignedContent): Buffer {
  const { contentType, contentDigest, certificate, signingTimeMs, policy } = content;
  return setOf(
    attribute(ATTRIBUTE.contentType, oid(contentType)),
    attribute(ATTRIBUTE.messageDigest, octetString(contentDigest)),
    attribute(ATTRIBUTE.signingCertificateV2, signingCertificate(certificate)),
    ...(signingTimeMs === undefined ? [] : [attribute(ATTRIBUTE.signingTime, time(signingTimeMs))]),
    ...(policy ? [attribute(ATTRIBUTE.signaturePolicy, policyIdentifier(policy))] : []),
  );
}

// Binds the certificate to the signature, or another with the same key could take its place. SHA-256 is the
// attribute's default and so is not named (RFC 5035).
function signingCertificate({ der, issuer, serialDer }: Certificate): Buffer {
  const issuerSerial = sequence(sequence(explicit(4, issuer.der)), serialDer);
  return sequence(sequence(sequence(octetString(hashOf('sha256', der)), issuerSerial)));
}
