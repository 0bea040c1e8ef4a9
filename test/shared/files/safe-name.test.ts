import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeFileName } from '../../../shared/files/safe-name.ts';
import { runs } from '../../faults/fuzz.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

describe('by example', () => {
  test.each([
    ['contrato.pdf', 'contrato.pdf'],
    ['Procuração nº 3 — São João.pdf', 'Procuração nº 3 — São João.pdf'],
    ['契約書.pdf', '契約書.pdf'],
    ['família 👨‍👩‍👧.png', 'família 👨‍👩‍👧.png'],
    ['Contrato 12/2026.pdf', 'Contrato 12_2026.pdf'],
    ['../../etc/passwd', 'etc_passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:\\Users\\ana\\a.pdf', 'C__Users_ana_a.pdf'],
    ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie_ x.pdf'],
    ['a\0.pdf', 'a.pdf'],
    ['anexo\u202Efdp.exe', 'anexofdp.exe'],
    ['.htaccess', 'htaccess'],
    ['relatório.pdf. . ', 'relatório.pdf'],
    ['NUL', '_NUL'],
    ['nul.pdf', '_nul.pdf'],
    ['COM1.txt', '_COM1.txt'],
    ['console.log', 'console.log'],
    ['Ac\u0327a\u0303o.pdf', 'Ação.pdf'],
    ['a\uD800.pdf', 'a\uFFFD.pdf'],
    ['', 'file'],
    ['...', 'file'],
    ['/', 'file'],
    ['\u202E\u0000', 'file'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  test('a long name is cut in its middle: whole characters go and the extensions stay', () => {
    const safe = safeFileName(`${'ação '.repeat(100)}.pdf.p7s`);
    expect(bytes(safe)).toBeLessThanOrEqual(255);
    expect(bytes(safe)).toBeGreaterThan(245);
    expect(safe).toMatch(/^ação .*[^ ]\.pdf\.p7s$/);
  });

  test('a name that is cut carries its mark, and one that fits does not', () => {
    const markCut = (whole: string) => `~${whole.length}`;
    const safe = safeFileName(`${'a'.repeat(300)}.pdf`, { markCut });
    expect(safe).toMatch(/^a+~304\.pdf$/);
    expect(bytes(safe)).toBe(255);
    expect(safeFileName('a.pdf', { markCut })).toBe('a.pdf');
  });

  test('an emoji of several code points is kept whole or not at all', () => {
    const safe = safeFileName('👨‍👩‍👧'.repeat(40));
    expect(safe).toMatch(/^(?:👨‍👩‍👧)+$/u);
  });

  test('a device name that cutting or trimming brings out is caught too', () => {
    expect(safeFileName(' ../nul .')).toBe('_nul');
    expect(safeFileName(`nul${' '.repeat(260)}x.pdf`)).toBe('_nul.pdf');
  });
});

describe('for every name', () => {
  const hostile = fc.constantFrom(
    ...['/', '\\', '.', '..', ' ', '\0', '\n', '\u202E', '\u2066', ':', '*', 'CON', 'nul', '.pdf'],
    ...['ã', 'a\u0303', '\uD83D', '👩‍👧', '\u3000', '\u0301'],
  );
  const anyName = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.oneof(hostile, fc.string({ unit: 'grapheme' })), { maxLength: 60 })
      .map((parts) => parts.join('')),
  );
  const always = (rule: (safe: string) => void): void =>
    fc.assert(
      fc.property(anyName, (name) => rule(safeFileName(name))),
      { numRuns: runs(1_000) },
    );

  test('the result is a single, visible, well-formed name in NFC that fits', () => {
    always((safe) => {
      expect(safe).not.toMatch(/[/\\<>:"|?*\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
      expect(safe).not.toMatch(/^[.\s]|[.\s]$|^$/);
      expect(safe).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      expect(safe.isWellFormed()).toBe(true);
      expect(safe.normalize('NFC')).toBe(safe);
      expect(bytes(safe)).toBeLessThanOrEqual(255);
    });
  });

  test('a safe name stays as it is', () => {
    always((safe) => {
      expect(safeFileName(safe)).toBe(safe);
    });
  });
});
