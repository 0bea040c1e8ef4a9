import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../identifier-kinds.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** How each kind is read: one spelling for everybody, or nothing. */
const READERS: Readonly<Record<IdentifierKind, (given: string) => string | undefined>> = {
  CPF: (given) => parseCpf(given),
  CNPJ: (given) => parseCnpj(given),
  Email: (given) => (EMAIL.test(given) ? given.toLowerCase() : undefined),
};

/**
 * A subject's identifier in the one spelling that it is kept in, or nothing where it is of no kind that is taken.
 * @example readSubject('529.982.247-25', ['CPF']) // '52998224725'
 */
export function readSubject(given: string, kinds: readonly IdentifierKind[]): string | undefined {
  const isAny = kinds.length === 0;
  const read = (isAny ? IDENTIFIER_KINDS : kinds).map((kind) => READERS[kind](given));
  return read.find((value) => value !== undefined) ?? (isAny ? given : undefined);
}
