import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readCount,
  readDer,
  readOid,
  readWholeBytes,
} from '../../../der/read.ts';
import { context, TAG } from '../../../der/tags.ts';
import { readTime } from '../../../der/text-and-time.ts';
import {
  type AlgorithmIdentifier,
  type Certificate,
  CertificateMalformed,
  type Extension,
  parseCertificate,
  readAlgorithm,
  readExtensionList,
} from '../../certificate/certificate.ts';
import { type Name, readName } from '../../name/name.ts';
import { type Revocation, reasonOf } from '../reasons.ts';

export type SingleResponse = {
  readonly certificateId: {
    readonly hashOid: string;
    readonly issuerNameHash: Buffer;
    readonly issuerKeyHash: Buffer;
    readonly serialDer: Buffer;
  };
  readonly status: 'good' | 'unknown' | Revocation;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly extensions: ReadonlyMap<string, Extension>;
};

export type OcspResponse = {
  readonly der: Buffer;
  readonly tbs: Buffer;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly responder: { readonly name: Name } | { readonly keyHash: Buffer };
  readonly producedAtMs: number;
  readonly statuses: readonly SingleResponse[];
  readonly extensions: ReadonlyMap<string, Extension>;
  readonly certificates: readonly Certificate[];
};

/** These bytes are not an OCSP response. */
export class OcspMalformed extends Error {
  override readonly name = 'OcspMalformed';
}

/** The responder refuses to answer: responseStatus is not successful (RFC 6960, 2.3). */
export class OcspRefused extends Error {
  override readonly name = 'OcspRefused';
  readonly reason: string;

  constructor(reason: string) {
    super(`The OCSP responder gives no status (${reason}).`);
    this.reason = reason;
  }
}

const REFUSALS: Readonly<Record<number, string>> = {
  1: 'malformedRequest',
  2: 'internalError',
  3: 'tryLater',
  5: 'sigRequired',
  6: 'unauthorized',
};

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';

// A response covers one certificate, rarely a few, and contains the responder's. The limit keeps memory small.
const MAX_PARTS = 100;

/**
 * Parses an OCSP response (RFC 6960, 4.2). Throws OcspMalformed, or OcspRefused when the responder refuses.
 * @example const { statuses } = parseOcspResponse(bytes);
 */
export function parseOcspResponse(bytes: Uint8Array): OcspResponse {
  try {
    return readResponse(Buffer.from(bytes));
  } catch (cause) {
    if (!(cause instanceof DerError || cause instanceof CertificateMalformed)) throw cause;
    throw new OcspMalformed(`The OCSP response cannot be read: ${cause.message}`, { cause });
  }
}

function readResponse(der: Buffer): OcspResponse {
  const [statusElement, wrapped] = childrenOf(readDer(der), TAG.SEQUENCE);
  const status = readEnumerated(statusElement);
  if (status !== 0) throw new OcspRefused(REFUSALS[status] ?? `status ${status}`);
  const [type, content] = childrenOf(childrenOf(wrapped, context(0))[0], TAG.SEQUENCE);
  if (readOid(type) !== BASIC_RESPONSE) throw new DerError('Its type is unknown.');
  const basic = readDer(expectTag(content, TAG.OCTET_STRING).content);
  const [tbs, algorithm, signature, certificates] = childrenOf(basic, TAG.SEQUENCE);
  return {
    der,
    tbs: expectTag(tbs, TAG.SEQUENCE).raw,
    signatureAlgorithm: readAlgorithm(algorithm),
    signature: readWholeBytes(signature),
    certificates: certificates
      ? childrenOf(childrenOf(certificates, context(0))[0], TAG.SEQUENCE, MAX_PARTS).map(({ raw }) =>
          parseCertificate(raw),
        )
      : [],
    ...readResponseData(expectTag(tbs, TAG.SEQUENCE)),
  };
}

function readResponseData(
  tbs: Element,
): Pick<OcspResponse, 'responder' | 'producedAtMs' | 'statuses' | 'extensions'> {
  const parts = childrenOf(tbs, TAG.SEQUENCE);
  if (parts[0]?.tag === context(0)) parts.shift(); // version: only v1 exists
  const [responder, producedAt, responses, extensions] = parts;
  return {
    responder: readResponder(responder),
    producedAtMs: readTime(producedAt),
    statuses: childrenOf(responses, TAG.SEQUENCE, MAX_PARTS).map(readSingleResponse),
    extensions: readExtensions(extensions),
  };
}

function readResponder(element: Element | undefined): OcspResponse['responder'] {
  if (element?.tag === context(1)) return { name: readName(childrenOf(element, context(1))[0]) };
  const [hash] = childrenOf(element, context(2));
  return { keyHash: expectTag(hash, TAG.OCTET_STRING).content };
}

function readSingleResponse(element: Element): SingleResponse {
  const [certificateId, status, thisUpdate, ...rest] = childrenOf(element, TAG.SEQUENCE);
  const [hash, nameHash, keyHash, serial] = childrenOf(certificateId, TAG.SEQUENCE);
  const nextUpdate = rest.find(({ tag }) => tag === context(0));
  return {
    certificateId: {
      hashOid: readAlgorithm(hash).oid,
      issuerNameHash: expectTag(nameHash, TAG.OCTET_STRING).content,
      issuerKeyHash: expectTag(keyHash, TAG.OCTET_STRING).content,
      serialDer: expectTag(serial, TAG.INTEGER).raw,
    },
    status: readCertStatus(status),
    thisUpdateMs: readTime(thisUpdate),
    nextUpdateMs: nextUpdate && readTime(childrenOf(nextUpdate, context(0))[0]),
    extensions: readExtensions(rest.find(({ tag }) => tag === context(1))),
  };
}

function readCertStatus(element: Element | undefined): SingleResponse['status'] {
  if (element?.tag === context(0, 'primitive')) return 'good';
  if (element?.tag === context(2, 'primitive')) return 'unknown';
  const [time, reason] = childrenOf(element, context(1));
  const code = reason ? readEnumerated(childrenOf(reason, context(0))[0]) : 0;
  return { revokedAtMs: readTime(time), reason: reasonOf(code) };
}

function readExtensions(wrapped: Element | undefined): ReadonlyMap<string, Extension> {
  return new Map(wrapped ? readExtensionList(childrenOf(wrapped, context(1))[0]) : []);
}

const readEnumerated = (element: Element | undefined): number =>
  readCount({ ...expectTag(element, TAG.ENUMERATED), tag: TAG.INTEGER });
