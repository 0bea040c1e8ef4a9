import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readDer,
  readOid,
} from '../../../../shared/der/read.ts';
import { context, TAG } from '../../../../shared/der/tags.ts';
import { type Certificate, readExtensionList } from '../../../../shared/pki/certificate/certificate.ts';
import { digestByOid, hashOf } from '../../../../shared/signing/digest.ts';
import { type Issued, type SandboxAuthority, signerOf } from './authority.ts';
import { extensionOf } from './issuing/extensions.ts';
import {
  type CertificateId,
  type CertificateStatus,
  issueOcspRefusal,
  issueOcspResponse,
} from './issuing/ocsp.ts';

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
    extensions: nonce ? [extensionOf(NONCE, nonce)] : [],
  });
}

function statusOf(issued: Issued | undefined): CertificateStatus {
  if (!issued) return 'unknown';
  const { revokedAtMs, reason } = issued;
  return revokedAtMs === undefined ? 'good' : { revokedAtMs, reason };
}

/** A certificate of the request: its issuer by the hashes of name and key, and its serial number. */
type RequestedId = {
  readonly hashOid: string;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Hexadecimal. */
  readonly serial: string;
};

type OcspRequest = {
  readonly ids: readonly RequestedId[];
  /** The value of the nonce extension. The response repeats it. */
  readonly nonce?: Buffer;
};

const NONCE = '1.3.6.1.5.5.7.48.1.2';

// RFC 9654 ends nonces at 128 octets, two more for their header.
const MAX_NONCE_BYTES = 131;
// No client asks about more than one path at once.
const MAX_IDS = 20;

// Read by our own strict reader, as any request from outside.

/** Reads a request (RFC 6960, 4.1). Throws DerError and nothing else. A signature on it is passed over. */
function readOcspRequest(bytes: Uint8Array): OcspRequest {
  const [tbs] = childrenOf(readDer(bytes), TAG.SEQUENCE);
  const parts = childrenOf(tbs, TAG.SEQUENCE);
  const list = parts.find(({ tag }) => tag === TAG.SEQUENCE);
  const ids = childrenOf(list, TAG.SEQUENCE).map(readId);
  if (ids.length === 0 || ids.length > MAX_IDS)
    throw new DerError(`A request asks about one to ${MAX_IDS} certificates, not ${ids.length}.`);
  const nonce = readNonce(parts.find(({ tag }) => tag === context(2)));
  return { ids, ...(nonce && { nonce }) };
}

function readId(request: Element): RequestedId {
  const [id] = childrenOf(request, TAG.SEQUENCE);
  const [algorithm, nameHash, keyHash, serial] = childrenOf(id, TAG.SEQUENCE);
  return {
    hashOid: readOid(childrenOf(algorithm, TAG.SEQUENCE)[0]),
    issuerNameHash: expectTag(nameHash, TAG.OCTET_STRING).content,
    issuerKeyHash: expectTag(keyHash, TAG.OCTET_STRING).content,
    serial: expectTag(serial, TAG.INTEGER).content.toString('hex'),
  };
}

function readNonce(extensions: Element | undefined): Buffer | undefined {
  if (!extensions) return undefined;
  const [list] = childrenOf(extensions, context(2));
  for (const [oid, { value }] of readExtensionList(list)) {
    if (oid !== NONCE) continue;
    if (value.length === 0 || value.length > MAX_NONCE_BYTES)
      throw new DerError('A nonce has one to 128 octets.');
    return value;
  }
  return undefined;
}
