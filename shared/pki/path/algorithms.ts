import type { KeyObject } from 'node:crypto';
import { errorFinding, passedFinding } from '../verdict/validation-results.ts';
import { displayName } from '../verdict/words.ts';
import type { Rule } from './rule.ts';
import { schemeOf } from './signature-schemes.ts';
import type { Signed } from './signed.ts';

/** Which algorithms a verdict may rest on. */
export type AlgorithmPolicy = {
  /** As node:crypto calls them. */
  readonly digests: readonly string[];
  readonly leastRsaBits: number;
  readonly dsa: boolean;
};

/** What nobody can forge today. */
export const STRONG_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'],
  leastRsaBits: 2048,
  dsa: false,
};

/** What was good once: for signatures whose time is proven to lie in the past. MD5 stays out. */
export const PAST_ALGORITHMS: AlgorithmPolicy = {
  digests: ['sha1', 'sha224', ...STRONG_ALGORITHMS.digests],
  leastRsaBits: 1024,
  dsa: true,
};

/** What of a signature the policy does not allow, as the end of a sentence, or nothing. */
export function notAllowed(
  signed: Signed,
  key: KeyObject | undefined,
  policy: AlgorithmPolicy,
): string | undefined {
  const scheme = schemeOf(signed.signatureAlgorithm);
  if (!scheme) return `with the algorithm ${signed.signatureAlgorithm.oid}, which is not known`;
  if (scheme.digest && !policy.digests.includes(scheme.digest))
    return `with ${scheme.digest.toUpperCase()}, which is not safe enough`;
  if (scheme.kind === 'dsa' && !policy.dsa) return 'with DSA, which is not used any more';
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? Number.POSITIVE_INFINITY;
  const isRsa = scheme.kind === 'rsa' || scheme.kind === 'rsa-pss';
  if (isRsa && bits < policy.leastRsaBits)
    return `with an RSA key of ${bits} bits, fewer than ${policy.leastRsaBits}`;
  return undefined;
}

/** Signatures are made with algorithms that are still safe. The anchor's own is no evidence, so it is not looked at. */
export const algorithmsRule: Rule =
  ({ settings }) =>
  ({ certificate, issuer }) => {
    const complaint = notAllowed(certificate, keyOf(issuer), settings.algorithms);
    return complaint
      ? [
          errorFinding(
            'AlgorithmNotAllowed',
            `The certificate of ${displayName(certificate)} is signed ${complaint}.`,
          ),
        ]
      : [
          passedFinding(
            `The certificate of ${displayName(certificate)} is signed with an algorithm that is allowed.`,
          ),
        ];
  };

// A key that cannot be used is the signature rule's to tell.
function keyOf(issuer: { readonly publicKey: KeyObject }): KeyObject | undefined {
  try {
    return issuer.publicKey;
  } catch {
    return undefined;
  }
}
