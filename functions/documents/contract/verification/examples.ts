import { CERTIFICATE_EXAMPLE, CHECK_EXAMPLE } from '../../../../shared/pki/model/examples.ts';

// Examples of a verification report: a contract that one person signed.

const FINDINGS = {
  passedChecks: [{ ...CHECK_EXAMPLE, message: 'The signature matches the signed bytes.' }],
  errors: [],
  warnings: [],
};

export const PASSED = { outcome: 'valid', verdict: 'passed', reasons: [] };

export const SIGNED = {
  intact: true,
  signer: CERTIFICATE_EXAMPLE,
  icpBrasil: 'verified',
  certificateStatus: 'ACTIVE',
  validationResults: FINDINGS,
};

export const TIMESTAMP_EXAMPLE = {
  time: '2026-03-02T12:05:00.000Z',
  authority: null,
  valid: true,
  serialNumber: '3141592653',
  messageImprint: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
  validationResults: FINDINGS,
};

export const SIGNATURE_EXAMPLE = {
  ...PASSED,
  kind: 'signature',
  ...SIGNED,
  place: 'Signature1',
  judgedAt: '2026-03-02T12:05:00.000Z',
  claimedTime: '2026-03-02T12:04:00.000Z',
  provenTime: '2026-03-02T12:05:00.000Z',
  timestamps: [TIMESTAMP_EXAMPLE],
  archiveTimestamps: [],
  countersignatures: [],
  covers: ['the whole file'],
  coveredParts: [
    { kind: 'file', path: null, bytes: 61_440, isRoot: false, withoutSignatures: false, comments: 0 },
  ],
  changes: [],
  changedParts: [],
  policy: null,
  fieldName: 'Signature1',
  digestAlgorithm: 'sha256',
  messageDigest: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
  signatureValue: 'MIIDazCCAlOgAwIBAgIUTyqcAQ==',
  isLongTerm: false,
};
