import { describe, expect, test } from 'vitest';
import { formatTime } from '../../../../shared/pki/findings/display.ts';
import {
  allErrors,
  errorFinding,
  isValid,
  passedFinding,
  resultsOf,
  VALIDATION_ITEM_TYPES,
  warningFinding,
} from '../../../../shared/pki/findings/validation-results.ts';

const ESTABLISHED =
  'Success CertificateNotYetValid CertificateExpired CertificateRevoked CertificateIssuerNotFound ' +
  'CertificateRevocationStatusUnknown CertificateChainRootNotTrusted InvalidCertificateSignature DecodeError ' +
  'RequiredSignedAttributeMissing ForbiddenSignedAttributePresent RequiredUnsignedAttributeMissing ' +
  'ForbiddenUnsignedAttributePresent ContentTypeMismatch MessageDigestMismatch SigningCertificateDigestMismatch ' +
  'SignatureAlgorithmValidationFailed RevocationDataIssuedBeforeGracePeriod UncertifiedDateReference ' +
  'SignaturePolicyMismatch SigningTimeOutOfCertificateValidity UnknownSignedAttributesPresent ' +
  'UnknownUnsignedAttributesPresent TimestampWithMoreThanOneSigner TimestampMessageImprintMismatch ' +
  'TimestampValidationException CompleteReferencesMismatch InvalidSignatureTimestamp InvalidReferencesTimestamp ' +
  'InvalidArchiveTimestamp InvalidKeyUsage InvalidOcspResponse UnauthorizedIssuer UnknownRootTrustStatus InvalidTsl ' +
  'InvalidCrl CertificateIssuerValid CertificateIssuerInvalid CertificateValidationFailed ' +
  'SignatureVulnerableToSignerSubstitution InvalidXmlSignatureSchema XmlDSigCoreValidationFailed ' +
  'SignatureTimestampIgnored InvalidCertificationPathLen SigningCertificateNotFound UnauthorizedACIssuer ' +
  'AlgorithmNotAllowed UnacceptableSignaturePolicy';

describe('validation results', () => {
  test('know the 48 types by their established names', () => {
    expect(VALIDATION_ITEM_TYPES.join(' ')).toBe(ESTABLISHED);
    expect(new Set(VALIDATION_ITEM_TYPES).size).toBe(48);
  });

  test('sort what was found, and hold what the contract names, empty or not, and nothing else', () => {
    const results = resultsOf([
      passedFinding('good'),
      errorFinding('CertificateExpired', 'bad'),
      warningFinding('InvalidCrl', 'so so'),
    ]);
    const empty = { detail: null, innerValidationResults: null };
    expect(results).toEqual({
      passedChecks: [{ type: 'Success', message: 'good', ...empty }],
      errors: [{ type: 'CertificateExpired', message: 'bad', ...empty }],
      warnings: [{ type: 'InvalidCrl', message: 'so so', ...empty }],
    });
    expect(isValid(results)).toBe(false);
    expect(isValid(resultsOf([warningFinding('InvalidCrl', 'so so')]))).toBe(true);
  });

  test('tell every failure from the outside in', () => {
    const innerValidationResults = resultsOf([errorFinding('CertificateRevoked', 'inner')]);
    const results = resultsOf([
      errorFinding('CertificateIssuerInvalid', 'outer', { innerValidationResults }),
    ]);
    expect(allErrors(results).map(({ message }) => message)).toEqual(['outer', 'inner']);
  });

  test('format an invalid time without failing', () => {
    expect(formatTime(0)).toBe('1970-01-01 00:00:00 UTC');
    expect(formatTime(Number.NaN)).toBe('an invalid time');
  });
});
