/** A company's taxpayer number: twelve digits or capitals, and two check digits. Made only by parseCnpj. */
export type Cnpj = string & { readonly __brand: 'Cnpj' };

const BARE = /^[0-9A-Za-z]{12}[0-9]{2}$/;
const PUNCTUATED = /^[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}\/[0-9A-Za-z]{4}-[0-9]{2}$/;
const REPEATED = /^(.)\1{13}$/; // all zeros have valid check digits and belong to nobody

/**
 * Parses a CNPJ, numeric or alphanumeric, written as `12ABC34501DE35` or `12.ABC.345/01DE-35`; small letters count as
 * capitals. Undefined if it is invalid.
 * @example const cnpj = parseCnpj(body.cnpj) ?? refuse('INVALID_CNPJ');
 */
export function parseCnpj(text: string): Cnpj | undefined {
  if (!BARE.test(text) && !PUNCTUATED.test(text)) return undefined;
  const number = text.replace(/[./-]/g, '').toUpperCase();
  return !REPEATED.test(number) && number.endsWith(checkDigits(number.slice(0, 12)))
    ? (number as Cnpj)
    : undefined;
}

function checkDigits(twelve: string): string {
  const first = checkDigit(twelve);
  return `${first}${checkDigit(`${twelve}${first}`)}`;
}

const ZERO = 48; // a character counts as its ASCII code less that of "0": digits as themselves, A 17, Z 42

// The weights are 2..9 from the right, repeated.
function checkDigit(characters: string): number {
  let sum = 0;
  for (let at = 0; at < characters.length; at++) {
    const fromRight = characters.length - 1 - at;
    sum += (characters.charCodeAt(at) - ZERO) * (2 + (fromRight % 8));
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** @example formatCnpj(cnpj) // '12.ABC.345/01DE-35' */
export const formatCnpj = (cnpj: Cnpj): string =>
  cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
