import { type Cnpj, maskCnpj, parseCnpj } from './cnpj.ts';
import { type Cpf, maskCpf, parseCpf } from './cpf.ts';

/** Whoever pays taxes: a person or a company. */
export type Taxpayer =
  | { readonly kind: 'CPF'; readonly number: Cpf }
  | { readonly kind: 'CNPJ'; readonly number: Cnpj };

/**
 * Told apart by length, eleven characters or fourteen, because a CNPJ may hold letters.
 * @example parseTaxpayer('12ABC34501DE35')?.kind // 'CNPJ'
 */
export function parseTaxpayer(text: string): Taxpayer | undefined {
  const cpf = parseCpf(text);
  if (cpf) return { kind: 'CPF', number: cpf };
  const cnpj = parseCnpj(text);
  return cnpj && { kind: 'CNPJ', number: cnpj };
}

/** @example maskTaxpayer(taxpayer) // '***.***.***-25' */
export const maskTaxpayer = (taxpayer: Taxpayer): string =>
  taxpayer.kind === 'CPF' ? maskCpf(taxpayer.number) : maskCnpj(taxpayer.number);
