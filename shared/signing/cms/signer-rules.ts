import type { Certificate } from '../../pki/certificate/certificate.ts';
import { EXTENSION, extendedKeyUsage, KEY_PURPOSE, keyUsage } from '../../pki/extensions/extensions.ts';
import { displayName, formatTime } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import { orUndefined } from './ber-or-der.ts';
import type { CertificateVerdict } from './judge.ts';
import type { NamedPolicy, SignaturePolicy } from './policy.ts';

// The rules about a signer that CAdES, PAdES and XAdES have in common. Each format reads its own fields and asks here.

export type SigningTimes = {
  readonly claimedMs: number | undefined;
  readonly provenMs: number | undefined;
};

/**
 * Findings on when the signature was made. The claimed time is the signer's own word and proves nothing; a claim
 * outside the certificate's validity is an error all the same.
 * @example timeFindings({ claimedMs, provenMs: undefined }, certificate)
 */
export function timeFindings(
  { claimedMs, provenMs }: SigningTimes,
  certificate: Certificate | undefined,
): Finding[] {
  const isOutside =
    claimedMs !== undefined &&
    certificate !== undefined &&
    (claimedMs < certificate.notBeforeMs || claimedMs > certificate.notAfterMs);
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

/**
 * Policy substitution: a signature that names a known policy must carry the hash of that very policy (RFC 5126, 5.8.1).
 * A policy that is not known here is reported and not checked.
 * @example policyFindings({ oid: '2.16.76.1.7.1.1.2.3' }, knownPolicies)
 */
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

// A certificate for these purposes alone belongs to a machine and not to a person who signs documents.
const MACHINE_PURPOSES: readonly string[] = [
  KEY_PURPOSE.timeStamping,
  KEY_PURPOSE.ocspSigning,
  KEY_PURPOSE.serverAuth,
];

/** RFC 5280, 4.2.1.3 and 4.2.1.12: key usage and extended key usage, where present, must allow signatures. */
export function keyUsageFindings(certificate: Certificate): Finding[] {
  const purposes = orUndefined(() => extendedKeyUsage(certificate)) ?? [];
  if (purposes.length && purposes.every((purpose) => MACHINE_PURPOSES.includes(purpose)))
    return [
      errorFinding(
        'InvalidKeyUsage',
        `The certificate of ${displayName(certificate)} is not for signing documents.`,
        { detail: `It is for ${purposes.join(', ')} alone.` },
      ),
    ];
  return signatureUsageFindings(certificate);
}

/** RFC 5280, 4.2.1.3 alone: the key usage of a certificate, where present, must allow signatures. */
export function signatureUsageFindings(certificate: Certificate): Finding[] {
  if (!certificate.extensions.has(EXTENSION.keyUsage)) return [];
  const usages = orUndefined(() => keyUsage(certificate));
  return usages?.has('digitalSignature') || usages?.has('nonRepudiation')
    ? [passedFinding(`The certificate of ${displayName(certificate)} is for signatures.`)]
    : [
        errorFinding(
          'InvalidKeyUsage',
          `The certificate of ${displayName(certificate)} is not for signatures.`,
        ),
      ];
}

/** The verdict on the signer's certificate as a finding, with the reasons inside. */
export function trustFinding({ status, results: innerValidationResults }: CertificateVerdict): Finding {
  return status === 'ACTIVE'
    ? passedFinding("The signer's certificate is valid.", { innerValidationResults })
    : errorFinding('CertificateValidationFailed', `The signer's certificate is ${status}.`, {
        innerValidationResults,
      });
}
