import { expect, test } from 'vitest';
import {
  formatCnpj,
  formatCpf,
  formatDay,
  formatSize,
} from '../../../../functions/documents/pages/format.ts';

test.each([
  [0, '0 bytes', '0 byte'],
  [999, '999 bytes', '999 bytes'],
  [1_000, '1 kB', '1 kB'],
  [2_499, '2 kB', '2 kB'],
  [1_250_000, '1.3 MB', '1,3 MB'],
  [104_857_600, '104.9 MB', '104,9 MB'],
])('%i bytes are shown as people of each language read sizes', (bytes, english, portuguese) => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect(plain(formatSize('en', bytes))).toBe(english);
  expect(plain(formatSize('pt-BR', bytes))).toBe(portuguese);
});

test('a deadline is shown as the day that it ends on in Brasília', () => {
  expect(formatDay('en', '2027-02-01T02:59:59.999Z')).toBe('January 31, 2027');
  expect(formatDay('pt-BR', '2027-02-01T03:00:00Z')).toBe('1 de fevereiro de 2027');
});

test('CPF and CNPJ are shown with their punctuation', () => {
  expect(formatCpf('52998224725')).toBe('529.982.247-25');
  expect(formatCnpj('11222333000181')).toBe('11.222.333/0001-81');
});
