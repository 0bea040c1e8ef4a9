import { describe, expect, test } from 'vitest';
import {
  errorFinding,
  resultsOf,
  VALIDATION_ITEM_TYPES,
  type ValidationItemType,
} from '../../../../shared/pki/findings/validation-results.ts';
import { MEANINGS, OUTCOMES, REASONS, VERDICTS } from '../../../../shared/signing/verification/reasons.ts';
import { fileReport, foundFile, foundSignature } from './found.ts';

const CHANGED = errorFinding('MessageDigestMismatch', 'The document was changed afterwards.');
const PARTLY = { isComplete: false, covered: ['/a/b'], missing: ['the rest of the document'] };

const withError = (type: ValidationItemType, change = {}) =>
  fileReport(foundSignature('ACTIVE', change, errorFinding(type, 'It failed.'))).signatures[0];

describe('what a file comes to', () => {
  test.each([
    ['a valid signature', foundFile(foundSignature('ACTIVE')), 'valid', 'passed', []],
    ['no signature', foundFile(), 'undetermined', 'indeterminate', ['GENERIC']],
    [
      'a status that nobody tells',
      foundFile(foundSignature('STALE')),
      'undetermined',
      'indeterminate',
      ['TRY_LATER'],
    ],
    [
      'the same beside a valid one',
      foundFile(foundSignature('ACTIVE'), foundSignature('STALE')),
      'undetermined',
      'indeterminate',
      ['TRY_LATER'],
    ],
    [
      'the same beside a revoked one',
      foundFile(foundSignature('REVOKED'), foundSignature('STALE')),
      'invalid',
      'indeterminate',
      ['REVOKED_NO_POE', 'TRY_LATER'],
    ],
    [
      'the same on changed content',
      foundFile(foundSignature('STALE', { intact: false }, CHANGED)),
      'invalid',
      'failed',
      ['HASH_FAILURE', 'TRY_LATER'],
    ],
    [
      'an untrusted signer',
      foundFile(foundSignature('UNTRUSTED')),
      'invalid',
      'indeterminate',
      ['NO_CERTIFICATE_CHAIN_FOUND'],
    ],
    [
      'an expired certificate',
      foundFile(foundSignature('EXPIRED')),
      'invalid',
      'indeterminate',
      ['OUT_OF_BOUNDS_NO_POE'],
    ],
    [
      'a fault of the file itself',
      { ...foundFile(foundSignature('STALE')), results: resultsOf([errorFinding('DecodeError', 'Wrong.')]) },
      'invalid',
      'failed',
      ['FORMAT_FAILURE', 'TRY_LATER'],
    ],
    [
      'a change beside a good certificate',
      foundFile(foundSignature('ACTIVE', {}, CHANGED)),
      'invalid',
      'failed',
      ['HASH_FAILURE'],
    ],
    [
      'a value by another key than that of the certificate that is signed along',
      foundFile(
        foundSignature(
          'ACTIVE',
          { intact: false },
          errorFinding('SignatureAlgorithmValidationFailed', 'It is not of this key.'),
          errorFinding('SigningCertificateDigestMismatch', 'Another certificate was signed.'),
        ),
      ),
      'invalid',
      'indeterminate',
      ['NO_SIGNING_CERTIFICATE_FOUND', 'SIG_CRYPTO_FAILURE'],
    ],
    [
      'an XML document that is covered in part by a valid signature',
      { ...foundFile(foundSignature('ACTIVE')), coverage: PARTLY },
      'undetermined',
      'indeterminate',
      ['SIG_CONSTRAINTS_FAILURE'],
    ],
    [
      'the same by a broken one',
      { ...foundFile(foundSignature('ACTIVE', { intact: false }, CHANGED)), coverage: PARTLY },
      'invalid',
      'failed',
      ['HASH_FAILURE'],
    ],
    [
      'a detached signature without its content',
      foundFile(foundSignature('ACTIVE', { intact: undefined, lacksContent: true }, CHANGED)),
      'undetermined',
      'indeterminate',
      ['SIGNED_DATA_NOT_FOUND'],
    ],
  ] as const)('%s', (_, file, outcome, verdict, reasons) => {
    expect(fileReport(file)).toMatchObject({ outcome, verdict, reasons });
  });

  test('an untrusted signer is nothing against a file where no root was given to trust', () => {
    const report = fileReport(foundSignature('UNTRUSTED'), { hasAnchors: false });
    expect(report).toMatchObject({ outcome: 'undetermined', reasons: ['NO_CERTIFICATE_CHAIN_FOUND'] });
  });

  test('what is unsupported or missing leaves a signature open, and a changed byte beside it does not', () => {
    for (const type of ['AlgorithmNotAllowed', 'RequiredSignedAttributeMissing'] as const) {
      expect(withError(type)?.outcome).toBe('undetermined');
      expect(withError(type, { intact: undefined })?.outcome).toBe('undetermined');
      expect(withError(type, { intact: false })?.outcome).toBe('invalid');
    }
  });

  test('a timestamp proves that a signature is older than its certificate, and no revocation or expiry', () => {
    const proven = { provenTimeMs: 1 };
    expect(withError('CertificateNotYetValid')).toMatchObject({ reasons: ['OUT_OF_BOUNDS_NO_POE'] });
    expect(withError('CertificateNotYetValid', proven)).toMatchObject({
      verdict: 'failed',
      reasons: ['NOT_YET_VALID'],
    });
    expect(withError('CertificateRevoked', proven)).toMatchObject({
      verdict: 'indeterminate',
      reasons: ['REVOKED_NO_POE'],
    });
  });

  test('a revoked authority differs from a revoked signer', () => {
    const innerValidationResults = resultsOf([errorFinding('CertificateRevoked', 'Revoked.')]);
    const ofAuthority = errorFinding('CertificateIssuerInvalid', 'The issuer is not valid.', {
      innerValidationResults,
    });
    expect(fileReport(foundSignature('ACTIVE', {}, ofAuthority)).reasons).toEqual(['REVOKED_CA_NO_POE']);
  });
});

test.each(VALIDATION_ITEM_TYPES)('a finding %s has a verdict, a reason and an outcome that agree', (type) => {
  const { verdict, reason, outcome } = MEANINGS[type];
  expect([VERDICTS.includes(verdict), REASONS.includes(reason), OUTCOMES.includes(outcome)]).toEqual([
    true,
    true,
    true,
  ]);
  // TOTAL-FAILED is never an open question.
  if (verdict === 'failed') expect(outcome).toBe('invalid');
  expect(withError(type)).toMatchObject({ verdict, outcome, reasons: [reason] });
});
