import { type Cnpj, parseCnpj } from './cnpj.ts';
import { type Cpf, parseCpf } from './cpf.ts';

/** A person or a company, by its taxpayer number. */
export type Taxpayer =
  | { readonly kind: 'CPF'; readonly number: Cpf }
  | { readonly kind: 'CNPJ'; readonly number: Cnpj };

/**
 * Parses a CPF or a CNPJ. The length decides, eleven characters or fourteen, because a CNPJ may contain letters.
 * @example parseTaxpayer('12ABC34501DE35')?.kind // 'CNPJ'
 */
export function parseTaxpayer(text: string): Taxpayer | undefined {
  const cpf = parseCpf(text);
  if (cpf) return { kind: 'CPF', number: cpf };
  const cnpj = parseCnpj(text);
  return cnpj && { kind: 'CNPJ', number: cnpj };
}
