import { expect, test } from 'vitest';
import { type OutputNameOptions, outputName } from '../../../shared/signing/output-name.ts';

const TABLE: readonly (readonly [file: string, options: OutputNameOptions, signed: string])[] = [
  ['report.pdf', { format: 'pades' }, 'report.signed.pdf'],
  ['contract.xml', { format: 'xades' }, 'contract.signed.xml'],
  ['data.bin', { format: 'cades' }, 'data.bin.p7m'],
  ['data.bin', { format: 'cades', detached: true }, 'data.bin.p7s'],
  ['data.bin', { format: 'cades', pem: true }, 'data.bin.pem'],
  ['data.bin', { format: 'cades', pem: true, detached: true }, 'data.bin.pem'],
  ['data.bin.p7s', { format: 'cades', cosign: true }, 'data.bin.signed.p7s'],

  ['remessa.rem', { format: 'cades', preserveExtension: true }, 'remessa.signed.rem'],
  ['remessa.rem', { format: 'cades', preserveExtension: true, pem: true }, 'remessa.signed.rem'],
  ['remessa', { format: 'cades', preserveExtension: true }, 'remessa.p7m'],
  ['remessa', { format: 'cades', preserveExtension: true, pem: true }, 'remessa.pem'],
  ['report.pdf', { format: 'pades', preserveExtension: true }, 'report.signed.pdf'],

  ['report.pdf', { format: 'pades', encrypted: true }, 'report.signed.pdf.enc'],
  ['data.bin', { format: 'cades', encrypted: true }, 'data.bin.p7m.enc'],
  ['data.bin', { format: 'cades', pem: true, encrypted: true }, 'data.bin.pem.enc'],
  ['remessa.rem', { format: 'cades', preserveExtension: true, encrypted: true }, 'remessa.signed.rem.enc'],

  ['REPORT.PDF', { format: 'pades' }, 'REPORT.signed.PDF'],
  ['REMESSA.REM', { format: 'cades', preserveExtension: true }, 'REMESSA.signed.REM'],
  ['2026.01.31.report.pdf', { format: 'pades' }, '2026.01.31.report.signed.pdf'],
  ['archive.tar.gz', { format: 'cades', preserveExtension: true }, 'archive.tar.signed.gz'],
  ['scan', { format: 'pades' }, 'scan.signed.pdf'],
  ['nota', { format: 'xades' }, 'nota.signed.xml'],
  ['.profile', { format: 'cades' }, '.profile.p7m'],
  ['.profile', { format: 'cades', preserveExtension: true }, '.profile.p7m'],
  ['.pdf', { format: 'pades' }, '.pdf.signed.pdf'],
  ['report.', { format: 'pades' }, 'report.signed.pdf'],
  ['data.', { format: 'cades', preserveExtension: true }, 'data..p7m'],
  ['a.b/contract.xml', { format: 'xades' }, 'a.b/contract.signed.xml'],
  ['a.b/contract', { format: 'cades', preserveExtension: true }, 'a.b/contract.p7m'],
];

test.each(TABLE)('%s becomes, as %o, %s', (file, options, signed) => {
  expect(outputName(file, options)).toBe(signed);
});
