import type { KeyObject } from 'node:crypto';
import type { Digest, SigningDigest } from '../digest.ts';
import { DS, EXCLUSIVE, XPATH_FILTER } from './namespaces.ts';
import type { Canonicalization } from './xml/canonical.ts';

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#';

const DIGEST_URIS: Readonly<Record<Digest, string>> = {
  sha1: `${DS}sha1`,
  sha224: `${MORE}sha224`,
  sha256: `${XMLENC}sha256`,
  sha384: `${MORE}sha384`,
  sha512: `${XMLENC}sha512`,
  'sha3-256': `${MORE_2007}sha3-256`,
  'sha3-384': `${MORE_2007}sha3-384`,
  'sha3-512': `${MORE_2007}sha3-512`,
};

const DIGESTS = new Map(Object.entries(DIGEST_URIS).map(([digest, uri]) => [uri, digest as Digest]));

export const digestUri = (digest: Digest): string => DIGEST_URIS[digest];

/** Undefined for MD5 and all else that is not known here. */
export const digestByUri = (uri: string): Digest | undefined => DIGESTS.get(uri);

export type SignatureMethod = { readonly key: 'rsa' | 'ec'; readonly digest: Digest };

const METHODS: ReadonlyMap<string, SignatureMethod> = new Map([
  [`${DS}rsa-sha1`, { key: 'rsa', digest: 'sha1' }],
  [`${MORE}rsa-sha256`, { key: 'rsa', digest: 'sha256' }],
  [`${MORE}rsa-sha384`, { key: 'rsa', digest: 'sha384' }],
  [`${MORE}rsa-sha512`, { key: 'rsa', digest: 'sha512' }],
  [`${MORE}ecdsa-sha1`, { key: 'ec', digest: 'sha1' }],
  [`${MORE}ecdsa-sha256`, { key: 'ec', digest: 'sha256' }],
  [`${MORE}ecdsa-sha384`, { key: 'ec', digest: 'sha384' }],
  [`${MORE}ecdsa-sha512`, { key: 'ec', digest: 'sha512' }],
]);

/** Undefined for HMAC, DSA and all else that is not accepted here. */
export const methodByUri = (uri: string): SignatureMethod | undefined => METHODS.get(uri);

/** @example methodUri(certificate.publicKey, 'sha256') */
export const methodUri = (key: KeyObject, digest: SigningDigest): string =>
  `${MORE}${key.asymmetricKeyType === 'ec' ? 'ecdsa' : 'rsa'}-${digest}`;

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const C14N_11 = 'http://www.w3.org/2006/12/xml-c14n11';

const CANONICAL: ReadonlyMap<string, Canonicalization> = new Map([
  [C14N, { kind: 'inclusive', withComments: false }],
  [`${C14N}#WithComments`, { kind: 'inclusive', withComments: true }],
  [C14N_11, { kind: 'inclusive-1.1', withComments: false }],
  [`${C14N_11}#WithComments`, { kind: 'inclusive-1.1', withComments: true }],
  [EXCLUSIVE, { kind: 'exclusive', withComments: false }],
  [`${EXCLUSIVE}WithComments`, { kind: 'exclusive', withComments: true }],
]);

export const canonicalizationByUri = (uri: string): Canonicalization | undefined => CANONICAL.get(uri);

/** What XML Signature takes where a reference ends in nodes and names no way to write them. */
export const DEFAULT_CANONICALIZATION: Canonicalization = { kind: 'inclusive', withComments: false };

/** Those that new signatures are made with. */
export const CANONICALIZATION_URIS = { exclusive: EXCLUSIVE, inclusive: C14N } as const;

export const TRANSFORM = {
  /** Takes the signature itself out of what it signs. */
  enveloped: `${DS}enveloped-signature`,
  xpath: 'http://www.w3.org/TR/1999/REC-xpath-19991116',
  xpathFilter: XPATH_FILTER,
} as const;
