import type { KeyObject } from 'node:crypto';
import { displayName } from '../../findings/display.ts';
import { errorFinding, passedFinding } from '../../findings/validation-results.ts';
import { curveBits } from '../key-strength.ts';
import type { AlgorithmPolicy } from '../settings.ts';
import { schemeOf } from '../signature-schemes.ts';
import type { Signed } from '../signed.ts';
import type { Rule } from './rule.ts';

/** The objection of the policy to a signature, as the end of a sentence; undefined for none. */
export function algorithmObjection(
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
  if (isRsa && bits < policy.minRsaBits)
    return `with an RSA key of ${bits} bits, fewer than ${policy.minRsaBits}`;
  const curve = key?.asymmetricKeyType === 'ec' ? (key.asymmetricKeyDetails?.namedCurve ?? '') : undefined;
  if (curve !== undefined && curveBits(curve) < policy.minCurveBits)
    return `with a key on the curve ${curve}, which is too small`;
  return undefined;
}

/** Signatures use accepted algorithms. The anchor's own signature proves nothing and is not checked. */
export const algorithmsRule: Rule =
  ({ settings }) =>
  ({ certificate, issuer }) => {
    const objection = algorithmObjection(certificate, usableKeyOf(issuer), settings.algorithms);
    return objection
      ? [
          errorFinding(
            'AlgorithmNotAllowed',
            `The certificate of ${displayName(certificate)} is signed ${objection}.`,
          ),
        ]
      : [
          passedFinding(
            `The certificate of ${displayName(certificate)} is signed with an algorithm that is allowed.`,
          ),
        ];
  };

// The signature rule reports a key that cannot be used.
function usableKeyOf(issuer: { readonly publicKey: KeyObject }): KeyObject | undefined {
  try {
    return issuer.publicKey;
  } catch {
    return undefined;
  }
}
