import { childrenOf, type Element, expectTag, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import { type Checks, tryChargeHashing } from '../../pki/path/checks.ts';
import { readElement } from '../cms/ber-or-der.ts';
import { HASH_INDEX } from '../cms/oids.ts';
import type { SignerInfo } from '../cms/read.ts';
import { type Digest, digestByOid, hashOf } from '../digest.ts';

/** ATSHashIndex (EN 319 122-1, 5.5.2): hashes of the certificates, CRLs and attributes that an archive timestamp covers. */
export type HashIndex = {
  /** The encoded index, which the imprint covers. */
  readonly raw: Buffer;
  readonly digestOid: string;
  readonly digest: Digest | undefined;
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly attributes: readonly Buffer[];
  /** Version 3 hashes each attribute value with its type; earlier versions hash the whole attribute. */
  readonly hashes: 'values' | 'attributes';
};

const SHA256 = '2.16.840.1.101.3.4.2.1';

/** The index in a token's only signer; undefined unless there is exactly one. Throws CmsMalformed. */
export function readHashIndex({ unsigned }: SignerInfo): HashIndex | undefined {
  const found = Object.values(HASH_INDEX).flatMap((oid) =>
    (unsigned.get(oid) ?? []).map((value) => ({ oid, value })),
  );
  const [only, ...more] = found;
  if (!only || more.length) return undefined;
  return readElement(only.value.raw, (element) => readIndexFields(element, only.oid));
}

function readIndexFields(element: Element, oid: string): HashIndex {
  const parts = childrenOf(element, TAG.SEQUENCE);
  // Version 1 has SHA-256 as its default.
  const digestOid = parts.length === 4 ? readAlgorithm(parts.shift()).oid : SHA256;
  const [certificates, crls, attributes] = parts.map((list) =>
    childrenOf(list, TAG.SEQUENCE).map((hash) => expectTag(hash, TAG.OCTET_STRING).content),
  );
  return {
    raw: element.raw,
    digestOid,
    digest: digestByOid(digestOid),
    certificates: certificates ?? [],
    crls: crls ?? [],
    attributes: attributes ?? [],
    hashes: oid === HASH_INDEX.v3 ? 'values' : 'attributes',
  };
}

/** One value of an unsigned attribute, and the octets that an index hashes for it. */
export type IndexedValue = { readonly type: string; readonly value: Buffer; readonly octets: Buffer };

/** A signer's unsigned attribute values, with the octets that an index of this kind hashes. */
export const indexedValues = ({ raw }: SignerInfo, hashes: HashIndex['hashes']): IndexedValue[] =>
  readElement(raw, (signer) => {
    const last = childrenOf(signer, TAG.SEQUENCE).at(-1);
    return (last?.tag === context(1) ? childrenOf(last, context(1)) : []).flatMap((attribute) => {
      const [type, values] = childrenOf(attribute, TAG.SEQUENCE);
      return childrenOf(values, TAG.SET).map((value) => ({
        type: readOid(type),
        value: value.raw,
        octets:
          hashes === 'values' ? Buffer.concat([type?.raw ?? Buffer.alloc(0), value.raw]) : attribute.raw,
      }));
    });
  });

// A cache: all signers of a file share its certificates and CRLs, which are hashed once.
const known = new WeakMap<readonly Buffer[], Map<Digest, ReadonlySet<string>>>();

/** The hashes of a file's certificates or CRLs. The cost comes out of the file's budget. */
export function hashesOf(elements: readonly Buffer[], digest: Digest, checks: Checks): ReadonlySet<string> {
  const byDigest = known.get(elements) ?? new Map<Digest, ReadonlySet<string>>();
  known.set(elements, byDigest);
  const found = byDigest.get(digest) ?? new Set(elements.map((one) => hashOf(digest, one).toString('hex')));
  if (!byDigest.has(digest)) tryChargeHashing(bytesOf(elements), checks);
  byDigest.set(digest, found);
  return found;
}

const bytesOf = (elements: readonly Buffer[]): number =>
  elements.reduce((sum, { length }) => sum + length, 0);
