import type { Certificate } from '../../../pki/certificate/certificate.ts';
import { formatTime } from '../../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../../pki/findings/validation-results.ts';
import type { NamedPolicy, SignaturePolicy } from '../../cms/policy.ts';

/** What the times of a signature say: whether one is proven, and whether the claimed one can be. */
export function timeFindings(
  claimedMs: number | undefined,
  provenMs: number | undefined,
  certificate: Certificate,
): Finding[] {
  const isOutside =
    claimedMs !== undefined && (claimedMs < certificate.notBeforeMs || claimedMs > certificate.notAfterMs);
  return [
    ...(provenMs === undefined
      ? [
          warningFinding(
            'UncertifiedDateReference',
            'No timestamp that is trusted proves when it was signed.',
          ),
        ]
      : []),
    ...(isOutside
      ? [
          errorFinding(
            'SigningTimeOutOfCertificateValidity',
            `The signer claims ${formatTime(claimedMs)}, when their certificate was not valid.`,
          ),
        ]
      : []),
  ];
}

/** A policy that is known here must be named with its own hash; others are only told. */
export function policyFindings(named: NamedPolicy | undefined, known: readonly SignaturePolicy[]): Finding[] {
  if (!named) return [];
  const { oid } = named;
  const candidates = known.filter((policy) => policy.oid === oid);
  if (!candidates.length)
    return [
      warningFinding(
        'UnacceptableSignaturePolicy',
        `The signature policy ${oid} is not known here and was not checked.`,
      ),
    ];
  const isSame = candidates.some(({ digest, hash }) => named.digest === digest && named.hash?.equals(hash));
  return [
    isSame
      ? passedFinding(`The signature names the policy ${oid} with its own hash.`)
      : errorFinding(
          'SignaturePolicyMismatch',
          `The signature names the policy ${oid} with another hash than its own.`,
        ),
  ];
}
