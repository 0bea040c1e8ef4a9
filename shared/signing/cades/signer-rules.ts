import { isTime, readTime } from '../../der/text-and-time.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import { EXTENSION, extendedKeyUsage, KEY_PURPOSE, keyUsage } from '../../pki/extensions/extensions.ts';
import { displayName, formatTime } from '../../pki/findings/display.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import { onlyValue } from '../cms/attribute-map.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import type { CertificateVerdict } from '../cms/judge.ts';
import { ATTRIBUTE } from '../cms/oids.ts';
import { type NamedPolicy, readPolicyIdentifier, type SignaturePolicy } from '../cms/policy.ts';
import type { SignerInfo } from '../cms/read.ts';

/** When the signer says to have signed. */
export function claimedTime({ signed }: SignerInfo): number | undefined {
  const value = onlyValue(signed, ATTRIBUTE.signingTime);
  return value && isTime(value) ? orUndefined(() => readTime(value)) : undefined;
}

export function timeFindings(
  signer: SignerInfo,
  certificate: Certificate | undefined,
  provenTimeMs: number | undefined,
): Finding[] {
  const claimed = claimedTime(signer);
  const unproven = warningFinding(
    'UncertifiedDateReference',
    'No timestamp that is trusted proves when it was signed.',
  );
  const isOutside =
    claimed !== undefined &&
    certificate !== undefined &&
    (claimed < certificate.notBeforeMs || claimed > certificate.notAfterMs);
  return [
    ...(provenTimeMs === undefined ? [unproven] : []),
    ...(isOutside
      ? [
          errorFinding(
            'SigningTimeOutOfCertificateValidity',
            `The signer claims ${formatTime(claimed)}, when their certificate was not valid.`,
          ),
        ]
      : []),
  ];
}

// What those who sign documents have no certificates for: such a signature is of a machine, and of no signer.
const OF_MACHINES: readonly string[] = [
  KEY_PURPOSE.timeStamping,
  KEY_PURPOSE.ocspSigning,
  KEY_PURPOSE.serverAuth,
];

/** The certificate's key usage and its purposes, where it has them, allow signatures. */
export function keyUsageFindings(certificate: Certificate): Finding[] {
  const purposes = orUndefined(() => extendedKeyUsage(certificate)) ?? [];
  if (purposes.length && purposes.every((purpose) => OF_MACHINES.includes(purpose)))
    return [
      errorFinding(
        'InvalidKeyUsage',
        `The certificate of ${displayName(certificate)} is not for signing documents.`,
        {
          detail: `It is for ${purposes.join(', ')} alone.`,
        },
      ),
    ];
  const usages = orUndefined(() => keyUsage(certificate));
  if (!certificate.extensions.has(EXTENSION.keyUsage)) return [];
  return usages?.has('digitalSignature') || usages?.has('nonRepudiation')
    ? [passedFinding(`The certificate of ${displayName(certificate)} is for signatures.`)]
    : [
        errorFinding(
          'InvalidKeyUsage',
          `The certificate of ${displayName(certificate)} is not for signatures.`,
        ),
      ];
}

export function trustFinding({ status, results: innerValidationResults }: CertificateVerdict): Finding {
  return status === 'ACTIVE'
    ? passedFinding("The signer's certificate is valid.", { innerValidationResults })
    : errorFinding('CertificateValidationFailed', `The signer's certificate is ${status}.`, {
        innerValidationResults,
      });
}

export function policyOf({ signed }: SignerInfo): NamedPolicy | undefined {
  const value = onlyValue(signed, ATTRIBUTE.signaturePolicy);
  return value && orUndefined(() => readPolicyIdentifier(value));
}

/** A policy that is known here must be named with its own hash; others are only told. */
export function policyFindings(signer: SignerInfo, known: readonly SignaturePolicy[]): Finding[] {
  if (!signer.signed.has(ATTRIBUTE.signaturePolicy)) return [];
  const named = policyOf(signer);
  if (!named) return [errorFinding('SignaturePolicyMismatch', 'The signature policy cannot be read.')];
  const candidates = known.filter(({ oid }) => oid === named.oid);
  if (!candidates.length)
    return [
      warningFinding(
        'UnacceptableSignaturePolicy',
        `The signature policy ${named.oid} is not known here and was not checked.`,
      ),
    ];
  const isSame = candidates.some(({ digest, hash }) => named.digest === digest && named.hash?.equals(hash));
  return [
    isSame
      ? passedFinding(`The signature names the policy ${named.oid} with its own hash.`)
      : errorFinding(
          'SignaturePolicyMismatch',
          `The signature names the policy ${named.oid} with another hash than its own.`,
        ),
  ];
}
