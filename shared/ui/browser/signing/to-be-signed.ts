import type { Bytes } from '../../../der/bytes.ts';
import { childrenOf, DerError, type Element, expectTag, readElement } from '../../../der/element.ts';
import { TAG } from '../../../der/tags.ts';
import { readOid } from '../../../der/values.ts';
import { areEqual, fromBase64, sha256 } from '../bytes.ts';
import type { Certificate } from '../certificate.ts';

/** What the server wants signed is not a signature of a document by this certificate. */
export class NotADocument extends Error {
  override readonly name = 'NotADocument';
}

/** What a server asks a key to sign: the bytes and their hash, base64. */
export type ToBeSigned = {
  readonly toSignData: string | null;
  readonly toSignHash: string | null;
  readonly digestAlgorithm: string;
};

/** What the page holds against what it is asked to sign. */
export type SigningContext = {
  readonly certificate: Certificate;
  /** The document as the page offers it to be read. */
  readonly readDocument: () => Promise<Bytes>;
};

/**
 * The bytes to sign, once the page has seen what they are: a document's signature, made for this certificate, whose
 * hash is the announced one. So the key is never put to a login, or to the request of another certificate.
 * Only CAdES is over the very file that the page offers. The digest in a PDF's signature is over the file with the
 * place for the signature in it, and that in XML over its canonical form: those two the page cannot compare.
 */
export async function requireDocumentBytes(request: ToBeSigned, known: SigningContext): Promise<Bytes> {
  const { toSignData, toSignHash, digestAlgorithm } = request;
  const data = decodeBase64(toSignData);
  const isAnnounced = digestAlgorithm === 'SHA256' && areEqual(await sha256(data), decodeBase64(toSignHash));
  if (!isAnnounced) throw new NotADocument('The bytes to sign are not those of the hash.');
  const isRight = data[0] === TAG.SET ? await areSignedAttributes(data, known) : isSignedInfo(data);
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

/** The signed attributes of CAdES and PAdES: that it is data, its digest, and the certificate by its SHA-256. */
async function areSignedAttributes(
  data: Bytes,
  { certificate, readDocument }: SigningContext,
): Promise<boolean> {
  const attributes = readAttributes(data);
  if (attributes?.digest.length !== SHA256_BYTES) return false;
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
    const attributes = new Map(childrenOf(readElement(data), TAG.SET).map(readAttribute));
    if (readOid(attributes.get(CONTENT_TYPE)) !== DATA) return undefined;
    return {
      digest: expectTag(attributes.get(MESSAGE_DIGEST), TAG.OCTET_STRING).content,
      certificateHash: readCertificateHash(attributes.get(SIGNING_CERTIFICATE_V2)),
      // A PDF tells the time of its signature outside of the attributes, CAdES always in them.
      isCades: attributes.has(SIGNING_TIME),
    };
  } catch (cause) {
    if (cause instanceof DerError) return undefined;
    throw cause;
  }
}

/** The hash in the first ESSCertIDv2 (RFC 5035). SHA-256 is the default and not named: the hash comes first. */
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

/** The SignedInfo of XAdES: the document, and the properties that name the certificate. Those are not in it. */
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
