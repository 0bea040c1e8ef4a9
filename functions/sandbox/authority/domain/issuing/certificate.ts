import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, explicit, integer, NULL, oid, sequence, time } from '../../../../../shared/der/write.ts';
import { type Certificate, parseCertificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { distinguishedName, type NameParts } from './name.ts';

/** Whoever signs: an authority with its certificate, or, with none yet, the key of a root that signs itself. */
export type Issuer = { readonly privateKey: KeyObject; readonly certificate?: Certificate };

export type Issuance = {
  readonly subject: NameParts;
  readonly publicKey: KeyObject;
  readonly issuer: Issuer;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Extension elements, as issue-extensions.ts writes them. */
  readonly extensions?: readonly Buffer[];
  /** Random when not given. */
  readonly serialNumber?: number | bigint | Buffer;
  readonly digest?: IssuingDigest;
};

export type IssuingDigest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const RSA: Readonly<Record<IssuingDigest, string>> = {
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
};

const ECDSA: Readonly<Record<IssuingDigest, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
};

/**
 * A version 3 certificate, signed.
 * @example const root = issueCertificate({ subject, publicKey, issuer: { privateKey }, notBeforeMs, notAfterMs, extensions });
 */
export function issueCertificate(issuance: Issuance): Certificate {
  const { issuer, publicKey, digest = 'sha256', extensions = [] } = issuance;
  const subject = distinguishedName(issuance.subject);
  const algorithm = signatureAlgorithm(issuer.privateKey, digest);
  const tbs = sequence(
    explicit(0, integer(2)),
    integer(issuance.serialNumber ?? newSerialNumber()),
    algorithm,
    issuer.certificate?.subject.der ?? subject,
    sequence(time(issuance.notBeforeMs), time(issuance.notAfterMs)),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(extensions.length ? [explicit(3, sequence(...extensions))] : []),
  );
  return parseCertificate(sequence(tbs, algorithm, bitString(sign(digest, tbs, issuer.privateKey))));
}

/** The AlgorithmIdentifier for signatures of this key: certificates, CRLs and OCSP responses carry it. */
export function signatureAlgorithm(privateKey: KeyObject, digest: IssuingDigest): Buffer {
  const type = privateKey.asymmetricKeyType;
  if (type === 'rsa') return sequence(oid(RSA[digest]), NULL);
  if (type === 'ec') return sequence(oid(ECDSA[digest]));
  throw new TypeError(`The sandbox authority signs with RSA and EC keys, not with ${type}.`);
}

// Sixteen random bytes, the first one neither zero nor negative: the number always has the same length.
function newSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}
