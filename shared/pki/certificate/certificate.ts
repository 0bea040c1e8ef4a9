import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { processWide } from '../../async/process-wide.ts';
import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readBitString,
  readBoolean,
  readDer,
  readInteger,
  readOid,
  readWholeBytes,
} from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { readTime } from '../../der/text-and-time.ts';
import { type AlgorithmIdentifier as AlgorithmIdentifierOf, readAlgorithm } from '../../der/values.ts';
import { type Name, readName } from '../name/name.ts';

export { readAlgorithm };

export type AlgorithmIdentifier = AlgorithmIdentifierOf<Buffer>;

export type Extension = { readonly critical: boolean; readonly value: Buffer };

export type Certificate = {
  readonly der: Buffer;
  /** TBSCertificate, the signed part. */
  readonly tbs: Buffer;
  readonly version: number;
  readonly serialNumber: bigint;
  readonly serialHex: string;
  /** The INTEGER element, encoded. */
  readonly serialDer: Buffer;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly spki: Buffer;
  /** subjectPublicKey inside `spki`: the input of key identifiers and OCSP hashes. */
  readonly keyBits: Buffer;
  readonly keyAlgorithm: AlgorithmIdentifier;
  /** Imported at first access. Throws PublicKeyUnsupported if node:crypto cannot use the key. */
  readonly publicKey: KeyObject;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** Lower-case hexadecimal. */
  readonly sha1: string;
  readonly sha256: string;
};

/** These bytes are not a certificate, or an extension is malformed. */
export class CertificateMalformed extends Error {
  override readonly name = 'CertificateMalformed';
}

/** The certificate is well formed, but the type of its key is unsupported. */
export class PublicKeyUnsupported extends Error {
  override readonly name = 'PublicKeyUnsupported';
}

// Denial of service: the limit bounds the memory of parsing. Real certificates stay under 10 KB.
const MAX_CERTIFICATE_BYTES = 100_000;

/**
 * Parses a certificate (RFC 5280, 4.1). The bytes are copied. Throws CertificateMalformed only.
 * @example const certificate = parseCertificate(Buffer.from(body.certificate, 'base64'));
 */
export function parseCertificate(bytes: Uint8Array): Certificate {
  if (bytes.length > MAX_CERTIFICATE_BYTES)
    throw new CertificateMalformed(
      `A certificate of ${bytes.length} bytes is larger than the ${MAX_CERTIFICATE_BYTES} allowed.`,
    );
  const sha256 = hash('sha256', bytes);
  const known = recentlyRead.get(sha256);
  const certificate =
    known ?? wrapDerError('The certificate cannot be read', () => read(Buffer.from(bytes), sha256));
  if (certificate.der.length <= MAX_KEPT_BYTES) keep(certificate);
  return certificate;
}

// One signature reads the same few certificates ten times: at the start, at the end and in the verification. Parsing one
// and importing its key take as long as checking a signature. 500 of this size are 5 MB.
const recentlyRead = processWide('pki.certificates', () => new Map<string, Certificate>());
const MAX_KEPT = 500;
const MAX_KEPT_BYTES = 10_000;

// LRU: a Map keeps insertion order. A used entry moves to the end; the first one is dropped.
function keep(certificate: Certificate): void {
  recentlyRead.delete(certificate.sha256);
  recentlyRead.set(certificate.sha256, certificate);
  const [oldest] = recentlyRead.keys();
  if (recentlyRead.size > MAX_KEPT && oldest !== undefined) recentlyRead.delete(oldest);
}

/** Runs a reader and turns its DerError into CertificateMalformed, with `what` before the message. */
export function wrapDerError<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof DerError) throw new CertificateMalformed(`${what}: ${cause.message}`, { cause });
    throw cause;
  }
}

function read(der: Buffer, sha256: string): Certificate {
  const [tbs, outerAlgorithm, signature] = requireCount(3, childrenOf(readDer(der), TAG.SEQUENCE));
  const fields = childrenOf(tbs, TAG.SEQUENCE);
  const version = fields[0]?.tag === context(0) ? readVersion(fields.shift()) : 1;
  const [serial, algorithm, issuer, validity, subject, spki, ...rest] = fields;
  const signatureAlgorithm = readAlgorithm(outerAlgorithm);
  if (!readAlgorithm(algorithm).der.equals(signatureAlgorithm.der))
    // RFC 5280, 4.1.1.2: both fields are the same.
    throw new DerError('It names one signature algorithm inside and another outside.');
  const [notBefore, notAfter] = requireCount(2, childrenOf(validity, TAG.SEQUENCE));
  const [keyAlgorithm, keyBits] = requireCount(2, childrenOf(spki, TAG.SEQUENCE));
  const serialNumber = readInteger(serial);
  const spkiDer = expectTag(spki, TAG.SEQUENCE).raw;
  let publicKey: KeyObject | undefined;
  return {
    der,
    tbs: expectTag(tbs, TAG.SEQUENCE).raw,
    version,
    serialNumber,
    serialHex: expectTag(serial, TAG.INTEGER).content.toString('hex'),
    serialDer: expectTag(serial, TAG.INTEGER).raw,
    issuer: readName(issuer),
    subject: readName(subject),
    notBeforeMs: readTime(notBefore),
    notAfterMs: readTime(notAfter),
    spki: spkiDer,
    keyBits: readWholeBytes(keyBits),
    keyAlgorithm: readAlgorithm(keyAlgorithm),
    get publicKey() {
      publicKey ??= importPublicKey(spkiDer);
      return publicKey;
    },
    signatureAlgorithm,
    signature: readSignature(signature),
    extensions: readExtensions(rest, version),
    get sha1() {
      return hash('sha1', der);
    },
    sha256,
  };
}

// A signature with unused bits becomes empty: the certificate is parsed, and its signature does not verify.
function readSignature(element: Element | undefined): Buffer {
  const { bytes, unusedBits } = readBitString(element);
  return unusedBits ? Buffer.alloc(0) : bytes;
}

function requireCount(count: number, elements: Element[]): Element[] {
  if (elements.length !== count)
    throw new DerError(`A part has ${elements.length} elements instead of ${count}.`);
  return elements;
}

function readVersion(element: Element | undefined): number {
  const [number] = requireCount(1, childrenOf(element, context(0)));
  const version = readInteger(number);
  if (version < 0n || version > 2n) throw new DerError('Its version is unknown.');
  return Number(version) + 1;
}

const ISSUER_UNIQUE_ID = context(1, 'primitive');
const SUBJECT_UNIQUE_ID = context(2, 'primitive');

function readExtensions(rest: readonly Element[], version: number): ReadonlyMap<string, Extension> {
  const found = new Map<string, Extension>();
  for (const part of rest) {
    if (part.tag === ISSUER_UNIQUE_ID || part.tag === SUBJECT_UNIQUE_ID) continue;
    const [list] = requireCount(1, childrenOf(part, context(3)));
    if (version !== 3) throw new DerError('It has extensions, which only version 3 allows.');
    for (const [oid, extension] of readExtensionList(list)) {
      // RFC 5280, 4.2: one of each. Parser differential: with two, two readers see different certificates.
      if (found.has(oid)) throw new DerError(`It has the extension ${oid} twice.`);
      found.set(oid, extension);
    }
  }
  return found;
}

// Certificates have about ten; CRLs and OCSP responses fewer. All are kept in memory.
const MAX_EXTENSIONS = 50;

/** The extensions of a certificate, a CRL, an entry of one, or an OCSP response. */
export const readExtensionList = (list: Element | undefined): (readonly [string, Extension])[] =>
  childrenOf(list, TAG.SEQUENCE, MAX_EXTENSIONS).map(readExtension);

function readExtension(element: Element): readonly [string, Extension] {
  const [oid, second, third, ...more] = childrenOf(element, TAG.SEQUENCE);
  const [flag, value] = second?.tag === TAG.BOOLEAN ? [second, third] : [undefined, second];
  if (more.length || (!flag && third)) throw new DerError('An extension has too many parts.');
  const critical = flag ? readBoolean(flag) : false;
  return [readOid(oid), { critical, value: expectTag(value, TAG.OCTET_STRING).content }];
}

function importPublicKey(spki: Buffer): KeyObject {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch (cause) {
    throw new PublicKeyUnsupported("The type of the certificate's public key is unsupported.", {
      cause,
    });
  }
}
