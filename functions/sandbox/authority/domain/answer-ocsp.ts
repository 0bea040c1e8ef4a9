import { sign } from 'node:crypto';
import { DerError } from '../../../../shared/der/read.ts';
import {
  bitString,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  octetString,
  oid,
  sequence,
} from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { digestByOid, hashOf } from '../../../../shared/signing/digest.ts';
import { type Issued, type SandboxAuthority, type Signer, signerOf } from './authority.ts';
import { signatureAlgorithm } from './issuing/certificate.ts';
import { extension, keyIdentifierOf } from './issuing/extensions.ts';
import { type CertificateId, NONCE, type OcspRequest, readOcspRequest } from './ocsp-request.ts';

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const STATUS = { successful: 0, malformedRequest: 1, unauthorized: 6 } as const;

// Shorter than the list's, as OCSP exists to be fresher.
const VALID_FOR_MS = 3_600_000;

/**
 * Answers an OCSP request about certificates of the intermediate authority; what else comes is refused in OCSP's
 * own words, for a client reads no others.
 * @example const response = answerOcsp(await findAuthority(), body, Date.now());
 */
export function answerOcsp(authority: SandboxAuthority, bytes: Uint8Array, nowMs: number): Buffer {
  try {
    const request = readOcspRequest(bytes);
    const issuer = signerOf(authority, 'intermediate').certificate;
    // A delegated responder speaks for the one authority that appointed it.
    if (!request.asked.every((id) => isOf(issuer, id))) return refused('unauthorized');
    return answered(request, authority, nowMs);
  } catch (error) {
    if (error instanceof DerError) return refused('malformedRequest');
    throw error;
  }
}

const refused = (status: keyof typeof STATUS): Buffer => sequence(enumerated(STATUS[status]));

function isOf(issuer: Certificate, { hashOid, issuerNameHash, issuerKeyHash }: CertificateId): boolean {
  const digest = digestByOid(hashOid);
  return (
    digest !== undefined &&
    hashOf(digest, issuer.subject.der).equals(issuerNameHash) &&
    hashOf(digest, issuer.keyBits).equals(issuerKeyHash)
  );
}

function answered({ asked, nonce }: OcspRequest, authority: SandboxAuthority, nowMs: number): Buffer {
  const responder = signerOf(authority, 'ocsp');
  const known = new Map(
    authority.issued.filter(({ issuer }) => issuer === 'intermediate').map((each) => [each.serial, each]),
  );
  const data = sequence(
    explicit(2, octetString(keyIdentifierOf(responder.certificate.publicKey))),
    generalizedTime(nowMs),
    sequence(...asked.map((id) => single(id, known.get(id.serial), nowMs))),
    ...(nonce ? [explicit(1, sequence(extension(NONCE, nonce)))] : []),
  );
  const basic = octetString(signed(data, responder));
  return sequence(enumerated(STATUS.successful), explicit(0, sequence(oid(BASIC_RESPONSE), basic)));
}

function signed(data: Buffer, { privateKey, certificate }: Signer): Buffer {
  const signature = bitString(sign('sha256', data, privateKey));
  const algorithm = signatureAlgorithm(privateKey, 'sha256');
  return sequence(data, algorithm, signature, explicit(0, sequence(certificate.der)));
}

const single = ({ der }: CertificateId, issued: Issued | undefined, nowMs: number): Buffer =>
  sequence(der, statusOf(issued), generalizedTime(nowMs), explicit(0, generalizedTime(nowMs + VALID_FOR_MS)));

const NOTHING = Buffer.alloc(0);

function statusOf(issued: Issued | undefined): Buffer {
  if (!issued) return implicit(2, NOTHING); // unknown: never issued here
  if (issued.revokedAtMs === undefined) return implicit(0, NOTHING); // good
  const reason = issued.reason === undefined ? [] : [explicit(0, enumerated(issued.reason))];
  return explicit(1, generalizedTime(issued.revokedAtMs), ...reason);
}
