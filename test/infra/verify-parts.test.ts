import { describe, expect, it } from 'vitest';
import { readOptions } from '../../infra/verify/options.ts';
import { outcomeOf, outcomeOfFile, type Shown, type ShownSignature } from '../../infra/verify/shown.ts';
import { asText } from '../../infra/verify/text.ts';
import { type Finding, failed, resultsOf } from '../../shared/pki/validation-results.ts';
import { formatOfBytes } from '../../shared/signing/format.ts';
import { testPki } from '../pki.ts';

const CAUSES = {
  EXPIRED: 'CertificateExpired',
  REVOKED: 'CertificateRevoked',
  UNTRUSTED: 'CertificateChainRootNotTrusted',
  STALE: 'CertificateRevocationStatusUnknown',
} as const;
type Status = 'ACTIVE' | keyof typeof CAUSES;

const becauseOf = (status: Exclude<Status, 'ACTIVE'>): Finding =>
  failed('CertificateValidationFailed', `The certificate is ${status}.`, {
    innerValidationResults: resultsOf([failed(CAUSES[status], `It is ${status}.`)]),
  });

/** A signature by a certificate of this status, and whatever else failed. */
function signature(status: Status, change: Partial<ShownSignature> = {}, ...more: Finding[]): ShownSignature {
  const results = resultsOf([...(status === 'ACTIVE' ? [] : [becauseOf(status)]), ...more]);
  return {
    certificate: undefined,
    claimedTimeMs: undefined,
    timestamps: [],
    intact: true,
    verdict: { status, results: resultsOf([]) },
    judgedAtMs: 0,
    policy: undefined,
    valid: results.errors.length === 0,
    results,
    covers: [],
    ...change,
  };
}

const CHANGED = failed('MessageDigestMismatch', 'The document was changed afterwards.');

const file = (...signatures: ShownSignature[]): Shown => ({
  format: 'CAdES',
  signatures,
  valid: signatures.length > 0 && signatures.every(({ valid }) => valid),
});

describe('what a report comes to', () => {
  it.each([
    ['a valid signature', file(signature('ACTIVE')), 'valid'],
    ['no signature', file(), 'undetermined'],
    ['a status that nobody tells', file(signature('STALE')), 'undetermined'],
    ['the same beside a valid one', file(signature('ACTIVE'), signature('STALE')), 'undetermined'],
    ['the same beside a revoked one', file(signature('REVOKED'), signature('STALE')), 'invalid'],
    ['the same on changed content', file(signature('STALE', { intact: false })), 'invalid'],
    ['an untrusted signer', file(signature('UNTRUSTED')), 'invalid'],
    ['an expired certificate', file(signature('EXPIRED')), 'invalid'],
    [
      'a fault of the file itself',
      { ...file(signature('STALE')), results: resultsOf([failed('DecodeError', 'Wrong.')]) },
      'invalid',
    ],
    ['a change beside a status that nobody tells', file(signature('STALE', {}, CHANGED)), 'invalid'],
    ['a change beside a good certificate', file(signature('ACTIVE', {}, CHANGED)), 'invalid'],
  ] as const)('%s', (_, shown, outcome) => {
    expect(outcomeOfFile(shown, true)).toBe(outcome);
  });

  it('an untrusted signer is no finding where no root was given to trust', () => {
    expect(outcomeOf(signature('UNTRUSTED'), false)).toBe('undetermined');
  });
});

describe('the report for a person', () => {
  it('shows names out of certificates without letting them move the cursor or turn the text', () => {
    const commonName = 'MARIA\u001b[2K\u001b[1A\n VALID \u202eDILAV';
    const { certificate } = testPki().holder({ commonName });
    const told = { file: 'a.p7s', outcome: 'invalid', hasAnchors: true } as const;
    const text = asText({ ...told, shown: file(signature('REVOKED', { certificate })) });
    expect(text).toContain('MARIA\ufffd[2K');
    for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
    expect(text.split('\n').filter((line) => line.includes('MARIA'))).toHaveLength(1);
  });

  it('puts below a problem what it rests on', () => {
    const told = { file: 'a.p7s', outcome: 'invalid', hasAnchors: true } as const;
    expect(asText({ ...told, shown: file(signature('EXPIRED')) })).toContain(
      '   problem      The certificate is EXPIRED.\n                  It is EXPIRED.',
    );
  });
});

describe('the kind of a file is told by what it holds', () => {
  it.each([
    ['%PDF-1.7\n', 'pades'],
    ['\n\njunk before %PDF-1.4', 'pades'],
    ['<?xml version="1.0"?><a/>', 'xades'],
    ['\ufeff  <nota:lote/>', 'xades'],
    ['<!-- a comment --><a/>', 'xades'],
    ['< 5 is a number', 'cades'],
    ['-----BEGIN PKCS7-----\n', 'cades'],
    ['', 'cades'],
  ])('%j as %s', (text, format) => {
    expect(formatOfBytes(Buffer.from(text))).toBe(format);
  });

  it('also in UTF-16, and a CMS structure around a PDF is a CMS structure', () => {
    const wide = Buffer.from('\ufeff<?xml version="1.0"?><a/>', 'utf16le');
    expect(formatOfBytes(wide)).toBe('xades');
    expect(formatOfBytes(Buffer.from(wide).swap16())).toBe('xades');
    expect(formatOfBytes(Buffer.from([0x30, 0x82, 1, 2, ...Buffer.from('%PDF-1.7')]))).toBe('cades');
    expect(formatOfBytes(Buffer.from('00 %PDF-1.7'))).toBe('pades');
  });
});

describe('the command line of verify', () => {
  it('judges now, or at a moment of its own', () => {
    expect(readOptions(['a.pdf'], 5)?.atMs).toBe(5);
    expect(readOptions(['a.pdf', '--at', '2026-01-31'])?.atMs).toBe(Date.UTC(2026, 0, 31));
    expect(() => readOptions(['a.pdf', '--at', 'yesterday'])).toThrow('"yesterday" is no moment');
  });

  it('is help when it is empty or asks for it, and takes one file', () => {
    expect([readOptions([]), readOptions(['--help'])]).toEqual([undefined, undefined]);
    expect(() => readOptions(['--json'])).toThrow('Name the file to verify');
    expect(() => readOptions(['a.p7s', 'a'])).toThrow('--content');
  });
});
