/** A person's taxpayer number: eleven digits with valid check digits. Made only by parseCpf. */
export type Cpf = string & { readonly __brand: 'Cpf' };

const BARE = /^[0-9]{11}$/;
const PUNCTUATED = /^[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}$/;
const REPEATED = /^([0-9])\1{10}$/; // 111.111.111-11 and its like have valid check digits and belong to nobody

/**
 * Parses a CPF, written as `52998224725` or `529.982.247-25`; undefined if it is invalid.
 * @example const cpf = parseCpf(body.cpf) ?? refuse('INVALID_CPF');
 */
export function parseCpf(text: string): Cpf | undefined {
  if (!BARE.test(text) && !PUNCTUATED.test(text)) return undefined;
  const digits = text.replace(/[.-]/g, '');
  return !REPEATED.test(digits) && digits.endsWith(checkDigits(digits.slice(0, 9)))
    ? (digits as Cpf)
    : undefined;
}

function checkDigits(nine: string): string {
  const first = checkDigit(nine);
  return `${first}${checkDigit(`${nine}${first}`)}`;
}

// Weights end in 2 on the right: 10..2 for the first check digit, 11..2 for the second.
function checkDigit(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += Number(digits[at]) * (digits.length + 1 - at);
  return ((sum * 10) % 11) % 10;
}

/** @example formatCpf(cpf) // '529.982.247-25' */
export const formatCpf = (cpf: Cpf): string => cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');

/**
 * Masks a CPF in the form of Brazilian authorities. There is one mask, because two of them laid together show more
 * digits than either.
 * @example maskCpf(cpf) // '***.982.247-**'
 */
export const maskCpf = (cpf: Cpf): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;

/** Masks a CPF where a contract asks for the check digits. @example checkDigitsOfCpf(cpf) // '***.***.***-25' */
export const checkDigitsOfCpf = (cpf: Cpf): string => `***.***.***-${cpf.slice(-2)}`;
