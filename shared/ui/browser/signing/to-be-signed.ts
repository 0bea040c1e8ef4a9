import type { Bytes } from '../../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag, readElement } from '../../../der/element.ts';
import { TAG } from '../../../der/tags.ts';
import { readOid } from '../../../der/values.ts';
import { areEqual, fromBase64, sha256 } from '../bytes.ts';
import type { Certificate } from '../certificate.ts';

/** The data to sign is not a document signature of this certificate. */
export class NotADocument extends Error {
  override readonly name = 'NotADocument';
}

/** The server's request to sign: the bytes and their hash, in base64. */
export type ToBeSigned = {
  readonly toSignData: string | null;
  readonly toSignHash: string | null;
  readonly digestAlgorithm: string;
};

/** The data that the page compares with the request. */
export type SigningContext = {
  readonly certificate: Certificate;
  /** Reads the document that the page shows. */
  readonly readDocument: () => Promise<Bytes>;
  /** Whether any other signature than CAdES is refused, so that the digest of the file is always compared. */
  readonly isCadesOnly?: boolean;
};

/**
 * Checks the bytes to sign: a document signature, for this certificate, with the announced hash.
 * Signing oracle: without this check a server could have the key sign a login, or data for another certificate.
 * Not covered: only CAdES hashes the file that the page shows. The digest of PAdES covers the file with the placeholder
 * of the signature, and that of XAdES the canonical form; the page cannot compare these two.
 */
export async function requireDocumentBytes(request: ToBeSigned, known: SigningContext): Promise<Bytes> {
  const { toSignData, toSignHash, digestAlgorithm } = request;
  const data = decodeBase64(toSignData);
  const isAnnounced = digestAlgorithm === 'SHA256' && areEqual(await sha256(data), decodeBase64(toSignHash));
  if (!isAnnounced) throw new NotADocument('The bytes to sign are not those of the hash.');
  const isRight =
    data[0] === TAG.SET ? await areSignedAttributes(data, known) : !known.isCadesOnly && isSignedInfo(data);
  if (!isRight) throw new NotADocument('The bytes to sign are not a signature of the document.');
  return data;
}

function decodeBase64(base64: string | null): Bytes {
  try {
    return fromBase64(base64 ?? '');
  } catch (cause) {
    throw new NotADocument('The bytes to sign cannot be read.', { cause });
  }
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
const DATA = '1.2.840.113549.1.7.1';
const SHA256_BYTES = 32;

/** The signed attributes of CAdES and PAdES: content type data, the digest, and the certificate's SHA-256. */
async function areSignedAttributes(
  data: Bytes,
  { certificate, readDocument, isCadesOnly = false }: SigningContext,
): Promise<boolean> {
  const attributes = readAttributes(data);
  if (attributes?.digest.length !== SHA256_BYTES) return false;
  if (isCadesOnly && !attributes.isCades) return false;
  if (!areEqual(attributes.certificateHash, await sha256(certificate.der))) return false;
  return !attributes.isCades || areEqual(attributes.digest, await sha256(await readDocument()));
}

type Attributes = {
  readonly digest: Uint8Array;
  readonly certificateHash: Uint8Array;
  readonly isCades: boolean;
};

function readAttributes(data: Bytes): Attributes | undefined {
  try {
    const listed = childrenOf(readElement(data), TAG.SET).map(readAttribute);
    const attributes = new Map(listed);
    // Parser differential: of two digests, another reader would take the one that was not compared here.
    if (attributes.size !== listed.length) return undefined;
    if (readOid(attributes.get(CONTENT_TYPE)) !== DATA) return undefined;
    return {
      digest: expectTag(attributes.get(MESSAGE_DIGEST), TAG.OCTET_STRING).content,
      certificateHash: readCertificateHash(attributes.get(SIGNING_CERTIFICATE_V2)),
      // signing-time is always in CAdES attributes; PAdES has it outside, in the signature dictionary.
      isCades: attributes.has(SIGNING_TIME),
    };
  } catch (cause) {
    if (cause instanceof DerError) return undefined;
    throw cause;
  }
}

/** The hash in the first ESSCertIDv2 (RFC 5035). SHA-256 is the default and omitted, so the hash comes first. */
function readCertificateHash(signingCertificate: Element | undefined): Uint8Array {
  const [identifiers] = childrenOf(signingCertificate, TAG.SEQUENCE);
  const [identifier] = childrenOf(identifiers, TAG.SEQUENCE);
  const [hash] = childrenOf(identifier, TAG.SEQUENCE);
  return expectTag(hash, TAG.OCTET_STRING).content;
}

function readAttribute(element: Element): [string, Element | undefined] {
  const [type, values] = childrenOf(element, TAG.SEQUENCE);
  return [readOid(type), childrenOf(values, TAG.SET)[0]];
}

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

/** The SignedInfo of XAdES: references to the document and to the SignedProperties, which are not part of it. */
function isSignedInfo(data: Bytes): boolean {
  const { documentElement: info } = new DOMParser().parseFromString(
    new TextDecoder().decode(data),
    'application/xml',
  );
  const references = [...info.children].filter(({ localName }) => localName === 'Reference');
  const types = references.map((reference) => reference.getAttribute('Type'));
  return (
    info.namespaceURI === XMLDSIG &&
    info.localName === 'SignedInfo' &&
    references.length > 1 &&
    types.filter((type) => type === SIGNED_PROPERTIES).length === 1
  );
}
