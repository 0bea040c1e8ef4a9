import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../cli/verify/options.ts';
import { asText, summaryText } from '../../../cli/verify/text.ts';
import { errorFinding, resultsOf } from '../../../shared/pki/findings/validation-results.ts';
import { formatOfBytes } from '../../../shared/signing/format.ts';
import { testPki } from '../../certificates/pki.ts';
import { fileReport, foundFile, foundSignature } from '../../shared/signing/verification/found.ts';

describe('the report for a person', () => {
  test('shows names out of certificates without letting them move the cursor or turn the text', () => {
    const commonName = 'MARIA\u001b[2K\u001b[1A\n VALID \u202eDILAV';
    const { certificate } = testPki().holder({ commonName });
    const text = asText(fileReport(foundSignature('REVOKED', { certificate })));
    expect(text).toContain('MARIA\ufffd[2K');
    for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
    expect(text.split('\n').filter((line) => line.includes('MARIA'))).toHaveLength(1);
  });

  test('puts below a problem what it rests on', () => {
    expect(asText(fileReport(foundSignature('EXPIRED')))).toContain(
      '   problem      The certificate is EXPIRED.\n                  It is EXPIRED.',
    );
  });

  test('names who countersigned, and what that comes to', () => {
    const { certificate } = testPki().holder({ commonName: 'TESTEMUNHA' });
    const { intact, verdict, valid, results, claimedTimeMs } = foundSignature('REVOKED');
    const countersignatures = [{ certificate, intact, verdict, valid, results, claimedTimeMs }];
    const report = fileReport(foundSignature('ACTIVE', { countersignatures }));
    expect(report.signatures[0]?.countersignatures).toMatchObject([
      { outcome: 'invalid', reasons: ['REVOKED_NO_POE'], certificateStatus: 'REVOKED', intact: true },
    ]);
    expect(asText(report)).toContain('   counter      signed by TESTEMUNHA: NOT VALID');
  });

  test.each([
    [true, 'intact'],
    [false, 'BROKEN'],
    [undefined, 'not checked: The curve is not known here.'],
  ])('says of integrity %s: %s', (intact, words) => {
    const unknown = errorFinding('AlgorithmNotAllowed', 'The curve is not known here.');
    const text = asText(fileReport(foundSignature('ACTIVE', { intact, results: resultsOf([unknown]) })));
    expect(text).toContain(`   integrity    ${words}\n`);
  });
});

describe('a file in one line', () => {
  const missing = errorFinding('RequiredSignedAttributeMissing', 'An attribute is missing.');
  const unsupported = errorFinding('AlgorithmNotAllowed', 'The curve is not known here.');
  const changed = errorFinding('MessageDigestMismatch', 'The content was changed.');

  test('says what decides: a fault before what is open, and what kept it from being checked before the rest', () => {
    const line = (...found: Parameters<typeof foundSignature>) =>
      summaryText(fileReport(foundSignature(...found)));
    expect(line('ACTIVE')).toBe('a.p7s: VALID, CAdES, 1 signature');
    expect(line('EXPIRED')).toBe('a.p7s: NOT VALID, CAdES, 1 signature. It is EXPIRED.');
    expect(line('STALE', { intact: false }, missing, changed)).toMatch(
      /1 signature\. The content was changed\.$/,
    );
    expect(line('ACTIVE', { intact: undefined }, missing, unsupported)).toBe(
      'a.p7s: COULD NOT BE JUDGED, CAdES, 1 signature. The curve is not known here.',
    );
    expect(line('ACTIVE', {}, missing)).toMatch(/An attribute is missing\. The bytes are as signed\.$/);
  });

  test('names whose signature it is where there are several', () => {
    const { certificate } = testPki().holder({ commonName: 'MARIA' });
    const several = foundFile(foundSignature('STALE'), foundSignature('REVOKED', { certificate }));
    expect(summaryText(fileReport(several))).toBe(
      'a.p7s: NOT VALID, CAdES, 2 signatures. MARIA: It is REVOKED.',
    );
  });

  test('says why integrity was not checked by what kept it from that', () => {
    const found = foundSignature('ACTIVE', { intact: undefined }, missing, unsupported);
    expect(asText(fileReport(found))).toContain(
      '   integrity    not checked: The curve is not known here.\n',
    );
  });
});

describe('the kind of a file is told by what it holds', () => {
  test.each([
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

  test('also in UTF-16, and a CMS structure around a PDF is a CMS structure', () => {
    const wide = Buffer.from('\ufeff<?xml version="1.0"?><a/>', 'utf16le');
    expect(formatOfBytes(wide)).toBe('xades');
    expect(formatOfBytes(Buffer.from(wide).swap16())).toBe('xades');
    expect(formatOfBytes(Buffer.from([0x30, 0x82, 1, 2, ...Buffer.from('%PDF-1.7')]))).toBe('cades');
    expect(formatOfBytes(Buffer.from('00 %PDF-1.7'))).toBe('pades');
  });
});

describe('the command line of verify', () => {
  test('judges now, or at a moment of its own', () => {
    expect(readOptions(['a.pdf'], 5)?.atMs).toBe(5);
    expect(readOptions(['a.pdf', '--at', '2026-01-31'])?.atMs).toBe(Date.UTC(2026, 0, 31));
    expect(() => readOptions(['a.pdf', '--at', 'yesterday'])).toThrow('"yesterday" is no time');
  });

  test('is help when it is empty or asks for it, and takes one file with its content, or many', () => {
    expect([readOptions([]), readOptions(['--help'])]).toEqual([undefined, undefined]);
    expect(() => readOptions(['--json'])).toThrow('Name the files or folders to verify');
    expect(readOptions(['a.pdf', 'b.xml'])?.names).toEqual(['a.pdf', 'b.xml']);
    expect(() => readOptions(['a.xml', '--covers', ''])).toThrow('--covers "" names no element');
    expect(() => readOptions(['a.p7s', 'b.p7s', '--content', 'a'])).toThrow('Verify that signature alone');
  });
});
