import { describe, expect, it } from 'vitest';
import {
  everyError,
  failed,
  isValid,
  passed,
  resultsOf,
  VALIDATION_ITEM_TYPES,
  warned,
} from '../../../../shared/pki/verdict/validation-results.ts';
import { moment } from '../../../../shared/pki/verdict/words.ts';

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
  it('know the 48 types by their established names', () => {
    expect(VALIDATION_ITEM_TYPES.join(' ')).toBe(ESTABLISHED);
    expect(new Set(VALIDATION_ITEM_TYPES).size).toBe(48);
  });

  it('sort what was found, and hold nothing but what the contract names', () => {
    const results = resultsOf([
      passed('good'),
      failed('CertificateExpired', 'bad'),
      warned('InvalidCrl', 'so so'),
    ]);
    expect(results).toEqual({
      passedChecks: [{ type: 'Success', message: 'good' }],
      errors: [{ type: 'CertificateExpired', message: 'bad' }],
      warnings: [{ type: 'InvalidCrl', message: 'so so' }],
    });
    expect(isValid(results)).toBe(false);
    expect(isValid(resultsOf([warned('InvalidCrl', 'so so')]))).toBe(true);
  });

  it('tell every failure from the outside in', () => {
    const innerValidationResults = resultsOf([failed('CertificateRevoked', 'inner')]);
    const results = resultsOf([failed('CertificateIssuerInvalid', 'outer', { innerValidationResults })]);
    expect(everyError(results).map(({ message }) => message)).toEqual(['outer', 'inner']);
  });

  it('speak of times that no calendar has without failing', () => {
    expect(moment(0)).toBe('1970-01-01 00:00:00 UTC');
    expect(moment(Number.NaN)).toBe('a time that no calendar has');
  });
});
