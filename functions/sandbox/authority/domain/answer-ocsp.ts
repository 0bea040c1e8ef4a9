import { DerError } from '../../../../shared/der/read.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { digestByOid, hashOf } from '../../../../shared/signing/digest.ts';
import { type Issued, type SandboxAuthority, signerOf } from './authority.ts';
import { hexOf } from './issuing/jsrsasign.ts';
import {
  type CertificateId,
  type CertificateStatus,
  issueOcspRefusal,
  issueOcspResponse,
} from './issuing/ocsp.ts';
import { NONCE, type OcspRequest, type RequestedId, readOcspRequest } from './ocsp-request.ts';

// Shorter than the list's, as OCSP exists to be fresher.
const VALID_FOR_MS = 3_600_000;

/**
 * Answers an OCSP request about certificates of the intermediate authority. Any other request is refused with an
 * OCSP status, since a client reads nothing else.
 * @example const response = answerOcsp(await findAuthority(), body, Date.now());
 */
export function answerOcsp(authority: SandboxAuthority, bytes: Uint8Array, nowMs: number): Buffer {
  try {
    const request = readOcspRequest(bytes);
    const issuer = signerOf(authority, 'intermediate').certificate;
    const ids = request.ids.flatMap((id) => certificateIdOf(issuer, id) ?? []);
    // A delegated responder speaks for the one authority that appointed it.
    if (ids.length < request.ids.length) return issueOcspRefusal('unauthorized');
    return answerAbout(ids, request, authority, nowMs);
  } catch (error) {
    if (error instanceof DerError) return issueOcspRefusal('malformedRequest');
    throw error;
  }
}

/** The identifier of a certificate of this issuer; undefined when it names another issuer. */
function certificateIdOf(issuer: Certificate, { hashOid, ...id }: RequestedId): CertificateId | undefined {
  const digest = digestByOid(hashOid);
  const isOfIssuer =
    digest !== undefined &&
    hashOf(digest, issuer.subject.der).equals(id.issuerNameHash) &&
    hashOf(digest, issuer.keyBits).equals(id.issuerKeyHash);
  return isOfIssuer ? { digest, ...id } : undefined;
}

function answerAbout(
  ids: readonly CertificateId[],
  { nonce }: OcspRequest,
  authority: SandboxAuthority,
  nowMs: number,
): Buffer {
  const known = new Map(
    authority.issued.filter(({ issuer }) => issuer === 'intermediate').map((each) => [each.serial, each]),
  );
  return issueOcspResponse(signerOf(authority, 'ocsp'), {
    producedAtMs: nowMs,
    statuses: ids.map((id) => ({
      id,
      status: statusOf(known.get(id.serial)),
      thisUpdateMs: nowMs,
      nextUpdateMs: nowMs + VALID_FOR_MS,
    })),
    extensions: nonce ? [{ extname: NONCE, extn: hexOf(nonce) }] : [],
  });
}

function statusOf(issued: Issued | undefined): CertificateStatus {
  if (!issued) return 'unknown';
  const { revokedAtMs, reason } = issued;
  return revokedAtMs === undefined ? 'good' : { revokedAtMs, reason };
}
