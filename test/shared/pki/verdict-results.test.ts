import { describe, expect, it } from 'vitest';
import {
  everyError,
  failed,
  isValid,
  passed,
  resultsOf,
  VALIDATION_ITEM_TYPES,
  warned,
} from '../../../shared/pki/validation-results.ts';
import { moment } from '../../../shared/pki/verdict-words.ts';

describe('validation results', () => {
  it('know the 48 types, each once', () => {
    expect(VALIDATION_ITEM_TYPES).toHaveLength(48);
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
