import { expect, test } from 'vitest';
import { formatCnpj, formatCpf } from '../../../../functions/documents/pages/format.ts';

test('CPF and CNPJ are shown with their punctuation', () => {
  expect(formatCpf('52998224725')).toBe('529.982.247-25');
  expect(formatCnpj('11222333000181')).toBe('11.222.333/0001-81');
});
