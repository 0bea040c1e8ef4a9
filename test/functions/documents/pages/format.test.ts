import { expect, test } from 'vitest';
import { formatCnpj, formatCpf, formatDay } from '../../../../functions/documents/pages/format.ts';

test('a deadline is shown as the day that it ends on in Brasília', () => {
  expect(formatDay('en', '2027-02-01T02:59:59.999Z')).toBe('January 31, 2027');
  expect(formatDay('pt-BR', '2027-02-01T03:00:00Z')).toBe('1 de fevereiro de 2027');
});

test('CPF and CNPJ are shown with their punctuation', () => {
  expect(formatCpf('52998224725')).toBe('529.982.247-25');
  expect(formatCnpj('11222333000181')).toBe('11.222.333/0001-81');
});
