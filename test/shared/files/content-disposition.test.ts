import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDisposition, safeFileName } from '../../../shared/files/safe-name.ts';
import { runs } from '../../faults/fuzz.ts';

test('a plain name needs only the plain parameter', () => {
  expect(contentDisposition('contrato 1.pdf', 'inline')).toBe('inline; filename="contrato 1.pdf"');
});

test('a Unicode name carries both forms, the plain one without its accents', () => {
  expect(contentDisposition('procuração (2).pdf', 'attachment')).toBe(
    `attachment; filename="procuracao (2).pdf"; filename*=UTF-8''procura%C3%A7%C3%A3o%20%282%29.pdf`,
  );
});

test('quotes, percent signs and line breaks cannot end the header or the name', () => {
  const header = contentDisposition('a"; filename=evil.exe\r\nX: 1%22.pdf', 'attachment');
  expect(header).toBe(
    `attachment; filename="a_; filename=evil.exeX_ 1_22.pdf"; filename*=UTF-8''a_%3B%20filename%3Devil.exeX_%201%2522.pdf`,
  );
});

test('for every name the header is printable ASCII and its extended form reads back as the safe name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = contentDisposition(name, 'attachment');
      expect(header).toMatch(/^attachment; filename="[^"\\\r\n]+"(; filename\*=UTF-8''[\w.!#$&+^`|~%-]+)?$/);
      const [, plain, extended] = /filename="([^"]+)"(?:; filename\*=UTF-8''(.+))?$/.exec(header) ?? [];
      expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(safeFileName(name));
    }),
    { numRuns: runs(500) },
  );
});
