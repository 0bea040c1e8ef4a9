import { childrenOf, DerError, type Element, expectTag, readCount } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { retag } from '../../der/write.ts';
import {
  type AlgorithmIdentifier,
  type Certificate,
  CertificateMalformed,
  parseCertificate,
  readAlgorithm,
} from '../../pki/certificate/certificate.ts';
import { type Name, readName } from '../../pki/name/name.ts';
import { type Digest, digestByOid } from '../digest.ts';
import { CmsMalformed } from '../errors.ts';
import { type Attributes, readAttributes } from './attribute-map.ts';
import { readElement } from './ber-or-der.ts';
import { parseBytes } from './input.ts';
import { type SplitSignedData, splitSignedData } from './split.ts';

/** The SignerIdentifier of RFC 5652, 5.3. */
export type SignerId =
  | { readonly issuer: Name; readonly serial: Buffer }
  | { readonly keyIdentifier: Buffer };

export type SignerInfo = {
  readonly raw: Buffer;
  readonly id: SignerId;
  readonly digestOid: string;
  /** Undefined when the algorithm is not known here. */
  readonly digest: Digest | undefined;
  /** The SET OF as signed, in DER (RFC 5652, 5.4). Undefined where the signature covers the content itself. */
  readonly signedDer: Buffer | undefined;
  readonly signed: Attributes;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  readonly unsigned: Attributes;
};

export type SignedData = {
  readonly split: SplitSignedData;
  readonly certificates: readonly Certificate[];
  readonly signers: readonly SignerInfo[];
};

// Denial of service: each signer costs a signature check and a path, and each certificate takes up to 40 KB of memory.
const MAX_SIGNERS = 256;
const MAX_CERTIFICATES = 256;

/**
 * A SignedData that fits in memory, with its content if it holds any. Throws CmsMalformed and nothing else.
 * @example const { signers, certificates, content } = readSignedData(contentsOfThePdfSignature);
 */
export function readSignedData(bytes: Uint8Array): SignedData & { readonly content: Buffer | undefined } {
  const pieces: Buffer[] = [];
  const split = parseBytes(splitSignedData(), bytes, (piece) => pieces.push(piece));
  return {
    ...readParts(split),
    content: split.contentBytes === undefined ? undefined : Buffer.concat(pieces),
  };
}

/** Reads the certificates and signers of a SignedData that was split. */
export function readParts(split: SplitSignedData): SignedData {
  if (split.signerInfos.length > MAX_SIGNERS)
    throw new CmsMalformed(`${split.signerInfos.length} signers are more than the ${MAX_SIGNERS} allowed.`);
  if (split.certificates.length > MAX_CERTIFICATES)
    throw new CmsMalformed(
      `${split.certificates.length} certificates are more than the ${MAX_CERTIFICATES} allowed.`,
    );
  return {
    split,
    certificates: split.certificates.flatMap(readCertificate),
    signers: split.signerInfos.map(readSignerInfo),
  };
}

// Attribute certificates and unreadable ones are skipped. A signer who needs one is reported without a certificate.
function readCertificate(raw: Buffer): Certificate[] {
  if (raw[0] !== TAG.SEQUENCE) return [];
  try {
    return [parseCertificate(readElement(raw, ({ raw }) => raw))];
  } catch (error) {
    if (error instanceof CertificateMalformed || error instanceof CmsMalformed) return [];
    throw error;
  }
}

/** Reads one SignerInfo; a countersignature is one too. Throws CmsMalformed and nothing else. */
export const readSignerInfo = (raw: Buffer): SignerInfo =>
  readElement(raw, (element) => readSigner(raw, element));

function readSigner(raw: Buffer, element: Element): SignerInfo {
  const [version, sid, digestAlgorithm, ...rest] = childrenOf(element, TAG.SEQUENCE);
  readCount(version);
  const signedAttributes = rest[0]?.tag === context(0) ? rest.shift() : undefined;
  const [signatureAlgorithm, signature, unsignedAttributes, ...more] = rest;
  if (more.length) throw new DerError('A SignerInfo has too many parts.');
  const { oid: digestOid } = readAlgorithm(digestAlgorithm);
  return {
    raw,
    id: readSignerId(sid),
    digestOid,
    digest: digestByOid(digestOid),
    signedDer: signedAttributes && retag(TAG.SET, signedAttributes.raw),
    signed: readAttributes(signedAttributes),
    signatureAlgorithm: readAlgorithm(signatureAlgorithm),
    signature: expectTag(signature, TAG.OCTET_STRING).content,
    unsigned: readAttributes(unsignedAttributes && expectTag(unsignedAttributes, context(1))),
  };
}

export function readSignerId(element: Element | undefined): SignerId {
  if (element?.tag === context(0, 'primitive')) return { keyIdentifier: element.content };
  const [issuer, serial, ...more] = childrenOf(element, TAG.SEQUENCE);
  if (more.length) throw new DerError('A signer is named by more than issuer and serial number.');
  return { issuer: readName(issuer), serial: expectTag(serial, TAG.INTEGER).raw };
}
