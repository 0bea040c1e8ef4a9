import type { KeyObject } from 'node:crypto';
import { type Digest, hashBytes, type SigningDigest } from '../digest.ts';
import type { Canonicalization } from './xml/canonical.ts';

/** Namespaces of signatures. */
export const DS = 'http://www.w3.org/2000/09/xmldsig#';
export const DS_11 = 'http://www.w3.org/2009/xmldsig11#';
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
/** Versions before EN 319 132-1: their properties are reported and not read. */
export const XADES_111 = 'http://uri.etsi.org/01903/v1.1.1#';
export const XADES_122 = 'http://uri.etsi.org/01903/v1.2.2#';
export const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#';
/** EN 319 132-3 and RFC 6283: evidence records. */
export const XADES_EVIDENCE = 'http://uri.etsi.org/19132/v1.1.1#';
export const EVIDENCE_RECORDS = 'urn:ietf:params:xml:ns:ers';
/** RFC 9231: the later algorithms and the parameters of RSA-PSS. */
export const MORE_2007 = 'http://www.w3.org/2007/05/xmldsig-more#';
export const XPATH_FILTER = 'http://www.w3.org/2002/06/xmldsig-filter2';
export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** The type of the reference over a signature's own signed properties. */
export const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const MORE_2021 = 'http://www.w3.org/2021/04/xmldsig-more#';

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

/** Undefined for MD5 and every other unsupported digest. */
export const digestByUri = (uri: string): Digest | undefined => DIGESTS.get(uri);

export type SignatureMethod = {
  readonly key: 'rsa' | 'ec' | 'ed25519' | 'ed448';
  /** Undefined for EdDSA, which has its own. */
  readonly digest: Digest | undefined;
  /** The salt length of RSA-PSS. Undefined for PKCS#1 v1.5 padding. */
  readonly saltBytes?: number;
};

/** RSA-PSS with MGF1 over the same digest, the only kind that node:crypto verifies. */
export const pss = (digest: Digest, saltBytes = hashBytes(digest)): SignatureMethod => ({
  key: 'rsa',
  digest,
  saltBytes,
});

const METHODS: ReadonlyMap<string, SignatureMethod> = new Map<string, SignatureMethod>([
  [`${DS}rsa-sha1`, { key: 'rsa', digest: 'sha1' }],
  [`${MORE}rsa-sha224`, { key: 'rsa', digest: 'sha224' }],
  [`${MORE}rsa-sha256`, { key: 'rsa', digest: 'sha256' }],
  [`${MORE}rsa-sha384`, { key: 'rsa', digest: 'sha384' }],
  [`${MORE}rsa-sha512`, { key: 'rsa', digest: 'sha512' }],
  [`${MORE}ecdsa-sha1`, { key: 'ec', digest: 'sha1' }],
  [`${MORE}ecdsa-sha224`, { key: 'ec', digest: 'sha224' }],
  [`${MORE}ecdsa-sha256`, { key: 'ec', digest: 'sha256' }],
  [`${MORE}ecdsa-sha384`, { key: 'ec', digest: 'sha384' }],
  [`${MORE}ecdsa-sha512`, { key: 'ec', digest: 'sha512' }],
  ...(['sha3-256', 'sha3-384', 'sha3-512'] as const).map((digest): [string, SignatureMethod] => [
    `${MORE_2021}ecdsa-${digest}`,
    { key: 'ec', digest },
  ]),
  ...(Object.keys(DIGEST_URIS) as Digest[]).map((digest): [string, SignatureMethod] => [
    `${MORE_2007}${digest}-rsa-MGF1`,
    pss(digest),
  ]),
  [`${MORE_2021}eddsa-ed25519`, { key: 'ed25519', digest: undefined }],
  [`${MORE_2021}eddsa-ed448`, { key: 'ed448', digest: undefined }],
]);

/** RSA-PSS with explicit parameters (RFC 9231, 2.3.9). */
export const RSA_PSS = `${MORE_2007}rsa-pss`;
export const MGF1 = `${MORE_2007}MGF1`;

/** Undefined for HMAC (algorithm confusion), DSA, and every other method that is not accepted. */
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

/** XML Signature, 4.4.3.2: the canonicalisation of a reference whose transforms end in a node set. */
export const DEFAULT_CANONICALIZATION: Canonicalization = { kind: 'inclusive', withComments: false };

/** The canonicalisations of new signatures. */
export const CANONICALIZATION_URIS = { exclusive: EXCLUSIVE, inclusive: C14N } as const;

export const TRANSFORM = {
  /** Removes the signature itself from the signed content. */
  enveloped: `${DS}enveloped-signature`,
  /** Decodes the text of an element. */
  base64: `${DS}base64`,
  xpath: 'http://www.w3.org/TR/1999/REC-xpath-19991116',
  xpathFilter: XPATH_FILTER,
} as const;
