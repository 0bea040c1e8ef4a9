import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readCount,
  readDer,
  readInteger,
  readWholeBytes,
} from '../../../der/read.ts';
import { context, TAG } from '../../../der/tags.ts';
import { isTime, readTime } from '../../../der/text-and-time.ts';
import {
  type AlgorithmIdentifier,
  CertificateMalformed,
  type Extension,
  readAlgorithm,
  readExtensionList,
} from '../../certificate/certificate.ts';
import { authorityKeyIdentifier } from '../../extensions/extensions.ts';
import { freshestCrl } from '../../extensions/locations.ts';
import { type Name, readName } from '../../name/name.ts';
import { CRL_EXTENSION, type IssuingPoint, readIssuingPoint } from './extensions.ts';

export type Crl = {
  readonly der: Buffer;
  readonly tbs: Buffer;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly issuer: Name;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly extensions: ReadonlyMap<string, Extension>;
  readonly number: bigint | undefined;
  /** BaseCRLNumber, only in a delta CRL (RFC 5280, 5.2.4): the number of the complete CRL that it updates. */
  readonly baseNumber: bigint | undefined;
  readonly issuingPoint: IssuingPoint;
  readonly issuerKeyIdentifier: Buffer | undefined;
  /** revokedCertificates, not parsed: the list may have millions of entries. */
  readonly entries: Element | undefined;
};

/** These bytes are not a certificate revocation list. */
export class CrlMalformed extends Error {
  override readonly name = 'CrlMalformed';
}

/**
 * Parses a CRL (RFC 5280, 5.1). The bytes are kept and not copied. Throws CrlMalformed only.
 * @example const crl = parseCrl(bytes); crl.nextUpdateMs
 */
export function parseCrl(bytes: Uint8Array): Crl {
  try {
    return readCrl(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes));
  } catch (cause) {
    if (!(cause instanceof DerError || cause instanceof CertificateMalformed)) throw cause;
    throw new CrlMalformed(`The revocation list cannot be read: ${cause.message}`, { cause });
  }
}

function readCrl(der: Buffer): Crl {
  const [tbs, outerAlgorithm, signature, ...more] = childrenOf(readDer(der), TAG.SEQUENCE);
  if (more.length) throw new DerError('It has more than three parts.');
  const fields = childrenOf(tbs, TAG.SEQUENCE);
  const isVersion2 = fields[0]?.tag === TAG.INTEGER;
  if (isVersion2 && readCount(fields.shift()) !== 1) throw new DerError('Its version is unknown.');
  const [algorithm, issuer, thisUpdate, ...rest] = fields;
  const signatureAlgorithm = readAlgorithm(outerAlgorithm);
  if (!readAlgorithm(algorithm).der.equals(signatureAlgorithm.der))
    // RFC 5280, 5.1.1.2: both fields are the same.
    throw new DerError('It names one signature algorithm inside and another outside.');
  const nextUpdate = rest[0] && isTime(rest[0]) ? rest.shift() : undefined;
  const entries = rest[0]?.tag === TAG.SEQUENCE ? rest.shift() : undefined;
  const extensions = readExtensions(rest, isVersion2);
  const extended = { extensions };
  freshestCrl(extended); // a malformed extension is refused here and not at its use
  return {
    der,
    tbs: expectTag(tbs, TAG.SEQUENCE).raw,
    signatureAlgorithm,
    signature: readWholeBytes(signature),
    issuer: readName(issuer),
    thisUpdateMs: readTime(thisUpdate),
    nextUpdateMs: nextUpdate && readTime(nextUpdate),
    extensions,
    number: readNumber(extensions, CRL_EXTENSION.number),
    baseNumber: readNumber(extensions, CRL_EXTENSION.deltaIndicator),
    issuingPoint: readIssuingPoint(extensions.get(CRL_EXTENSION.issuingPoint)),
    issuerKeyIdentifier: authorityKeyIdentifier(extended)?.keyIdentifier,
    entries,
  };
}

function readExtensions(rest: readonly Element[], isVersion2: boolean): Map<string, Extension> {
  const [wrapped, ...more] = rest;
  const found = new Map<string, Extension>();
  if (!wrapped) return found;
  if (more.length || !isVersion2) throw new DerError('It has parts that do not belong in a revocation list.');
  const [list] = childrenOf(wrapped, context(0));
  for (const [oid, extension] of readExtensionList(list)) {
    if (found.has(oid)) throw new DerError(`It has the extension ${oid} twice.`);
    found.set(oid, extension);
  }
  return found;
}

function readNumber(extensions: ReadonlyMap<string, Extension>, oid: string): bigint | undefined {
  const extension = extensions.get(oid);
  return extension && readInteger(readDer(extension.value));
}
