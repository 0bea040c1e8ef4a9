import { parseCnpj } from '../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';
import type { IdentifierType } from '../contract.ts';
import { invalidField } from '../errors.ts';

/** A CPF of eleven digits or a CNPJ of fourteen characters, without punctuation. */
export type Identifier = { readonly type: IdentifierType; readonly value: string };

const CPF_CHARACTERS = 11;
const PUNCTUATION = /[./-]/g;
const WRITTEN = /^[0-9A-Za-z./-]+$/; // a CNPJ may hold letters

/** The identifier of a request, with or without punctuation. Without a type, more than eleven characters are a CNPJ. */
export function parseIdentifier(text: string, givenType?: IdentifierType): Identifier {
  if (!WRITTEN.test(text))
    throw invalidField('identifier', 'must be a CPF or a CNPJ, such as 52998224725 or 11222333000181');
  const characters = text.replace(PUNCTUATION, '').length;
  const type = givenType ?? (characters > CPF_CHARACTERS ? 'CNPJ' : 'CPF');
  const found = readAs(type, text);
  if (found) return found;
  const other = readAs(type === 'CPF' ? 'CNPJ' : 'CPF', text);
  const reason = other
    ? `is a ${other.type}: send ${other.type} as identifierType`
    : `is not a ${type}: its length or its check digits are wrong`;
  throw invalidField('identifier', reason);
}

function readAs(type: IdentifierType, text: string): Identifier | undefined {
  const value = type === 'CPF' ? parseCpf(text) : parseCnpj(text);
  return value && { type, value };
}

const DAY_SECONDS = 86_400;

/** The longest session that the national rules allow a provider to grant: to a person, and to a company. */
export const maxLifetimeSeconds = (identifier: Identifier | undefined): number =>
  (identifier?.type === 'CPF' ? 7 : 30) * DAY_SECONDS;
