import { childrenOf, type Element, expectTag, readOid } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { ia5String, octetString, oid, sequence } from '../../der/write.ts';
import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import { checkHash, type Digest, digestAlgorithm, digestByOid } from '../digest.ts';
import { CmsMalformed, SigningRefused } from '../errors.ts';
import { readElement } from './ber-or-der.ts';
import { POLICY_URI } from './oids.ts';

/** A signature policy: the rules that the signer claims to have followed. Policies are data; none is built in. */
export type SignaturePolicy = {
  readonly oid: string;
  readonly digest: Digest;
  readonly hash: Buffer;
  /** Where the policy is published. */
  readonly uri?: string | undefined;
};

/** The value of the signature-policy-identifier attribute (RFC 5126, 5.8.1). */
export function policyIdentifier({ oid: id, digest, hash, uri }: SignaturePolicy): Buffer {
  checkHash(digest, hash);
  const qualifiers = uri === undefined ? [] : [sequence(sequence(oid(POLICY_URI), ia5String(uri)))];
  return sequence(oid(id), sequence(digestAlgorithm(digest), octetString(hash)), ...qualifiers);
}

/** The policy as a signature names it. The hash may be missing, or of an unknown algorithm. */
export type NamedPolicy = {
  readonly oid: string;
  readonly digest?: Digest | undefined;
  readonly hash?: Buffer | undefined;
  readonly uri?: string | undefined;
};

/** Reads the value of the signature-policy-identifier attribute. */
export function readPolicyIdentifier(element: Element): NamedPolicy {
  const [id, hash, qualifiers] = childrenOf(element, TAG.SEQUENCE);
  const [algorithm, value] = hash ? childrenOf(hash, TAG.SEQUENCE) : [];
  const uri = qualifiersOf(qualifiers).find(([kind]) => readOid(kind) === POLICY_URI)?.[1];
  return {
    oid: readOid(id),
    digest: algorithm && digestByOid(readAlgorithm(algorithm).oid),
    hash: value?.content,
    uri: uri?.content.toString('latin1'),
  };
}

// Spain's @firma writes the only qualifier without the SEQUENCE OF around it.
function qualifiersOf(element: Element | undefined): Element[][] {
  const listed = element ? childrenOf(element, TAG.SEQUENCE) : [];
  if (listed[0]?.tag === TAG.OID) return [listed];
  return listed.map((qualifier) => childrenOf(qualifier, TAG.SEQUENCE));
}

/**
 * Reads an ICP-Brasil policy file (RFC 3125). Signatures carry the hash that is the file's last field, which is not the
 * hash of the file. @example policyFromDer(await readFile('PA_AD_RB.der'), uri)
 */
export function policyFromDer(bytes: Uint8Array, uri?: string): SignaturePolicy {
  try {
    return readElement(Buffer.from(bytes), (file) => {
      const [algorithm, info, hash] = childrenOf(file, TAG.SEQUENCE);
      const digest = digestByOid(readAlgorithm(algorithm).oid);
      if (!digest) throw new CmsMalformed('its hash algorithm is not known here.');
      const own = expectTag(hash, TAG.OCTET_STRING).content;
      checkHash(digest, own);
      return { oid: readOid(childrenOf(info, TAG.SEQUENCE)[0]), digest, hash: own, uri };
    });
  } catch (cause) {
    if (!(cause instanceof CmsMalformed) && !(cause instanceof SigningRefused)) throw cause;
    throw new SigningRefused(
      'policy-malformed',
      `The file is no signature policy with a hash of its own: ${cause.message}`,
    );
  }
}
