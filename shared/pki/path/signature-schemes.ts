import { constants } from 'node:crypto';
import { childrenOf, type Element, readCount } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { type AlgorithmIdentifier, readAlgorithm } from '../certificate/certificate.ts';

export type SchemeKind = 'rsa' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'eddsa';

/** How a signature is verified: the key type, the digest, and the padding of RSA. */
export type Scheme = {
  readonly kind: SchemeKind;
  /** The name in node:crypto; undefined for EdDSA, which has its own. */
  readonly digest?: string;
  /** Undefined for PKCS#1 v1.5, the default of node:crypto. */
  readonly padding?: { readonly padding: number; readonly saltLength?: number };
  /** Set if MGF1 of RSA-PSS uses another digest than the hash. */
  readonly maskDigest?: string;
};

const rsa = (digest: string): Scheme => ({ kind: 'rsa', digest });
const ecdsa = (digest: string): Scheme => ({ kind: 'ecdsa', digest });
const dsa = (digest: string): Scheme => ({ kind: 'dsa', digest });

const RSA_PSS = '1.2.840.113549.1.1.10';

const SCHEMES: Readonly<Record<string, Scheme>> = {
  '1.2.840.113549.1.1.4': rsa('md5'),
  '1.2.840.113549.1.1.5': rsa('sha1'),
  '1.2.840.113549.1.1.14': rsa('sha224'),
  '1.2.840.113549.1.1.11': rsa('sha256'),
  '1.2.840.113549.1.1.12': rsa('sha384'),
  '1.2.840.113549.1.1.13': rsa('sha512'),
  '2.16.840.1.101.3.4.3.14': rsa('sha3-256'),
  '2.16.840.1.101.3.4.3.15': rsa('sha3-384'),
  '2.16.840.1.101.3.4.3.16': rsa('sha3-512'),
  '1.2.840.10045.4.1': ecdsa('sha1'),
  '1.2.840.10045.4.3.1': ecdsa('sha224'),
  '1.2.840.10045.4.3.2': ecdsa('sha256'),
  '1.2.840.10045.4.3.3': ecdsa('sha384'),
  '1.2.840.10045.4.3.4': ecdsa('sha512'),
  '2.16.840.1.101.3.4.3.10': ecdsa('sha3-256'),
  '2.16.840.1.101.3.4.3.11': ecdsa('sha3-384'),
  '2.16.840.1.101.3.4.3.12': ecdsa('sha3-512'),
  '1.2.840.10040.4.3': dsa('sha1'),
  '2.16.840.1.101.3.4.3.1': dsa('sha224'),
  '2.16.840.1.101.3.4.3.2': dsa('sha256'),
  '1.3.101.112': { kind: 'eddsa' },
  '1.3.101.113': { kind: 'eddsa' },
};

/** Digest OIDs, as in RSA-PSS and OCSP, to names of node:crypto. */
export const DIGESTS: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
};

/** The scheme of an algorithm identifier, or undefined for an unknown one. */
export function schemeOf(algorithm: AlgorithmIdentifier): Scheme | undefined {
  return algorithm.oid === RSA_PSS ? readPss(algorithm.parameters) : SCHEMES[algorithm.oid];
}

const MGF1 = '1.2.840.113549.1.1.8';
const SHA1 = '1.3.14.3.2.26';
const DEFAULT_SALT_BYTES = 20;

// RFC 4055, 3.1: an absent field means SHA-1.
function readPss(parameters: Element | undefined): Scheme | undefined {
  const parts = parameters ? childrenOf(parameters, TAG.SEQUENCE) : [];
  const part = (n: number): Element | undefined => {
    const wrapped = parts.find(({ tag }) => tag === context(n));
    return wrapped && childrenOf(wrapped, context(n))[0];
  };
  const [hash, mask, salt, trailer] = [part(0), part(1), part(2), part(3)];
  const hashOid = hash ? readAlgorithm(hash).oid : SHA1;
  const maskOid = mask ? maskDigestOid(readAlgorithm(mask)) : SHA1;
  if (trailer && readCount(trailer) !== 1) return undefined;
  const digest = DIGESTS[hashOid];
  const maskDigest = DIGESTS[maskOid];
  if (!digest || !maskDigest) return undefined;
  const saltLength = salt ? readCount(salt) : DEFAULT_SALT_BYTES;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength };
  return { kind: 'rsa-pss', digest, padding, ...(maskDigest !== digest && { maskDigest }) };
}

// An empty OID, which no digest has, for a mask function other than MGF1.
const maskDigestOid = ({ oid, parameters }: AlgorithmIdentifier): string =>
  oid === MGF1 && parameters ? readAlgorithm(parameters).oid : '';
