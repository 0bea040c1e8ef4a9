import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { IDENTIFIER_KINDS, type IdentifierKind } from '../../settings.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Readers by kind: the canonical spelling, or undefined. */
const READERS: Readonly<Record<IdentifierKind, (given: string) => string | undefined>> = {
  CPF: (given) => parseCpf(given),
  CNPJ: (given) => parseCnpj(given),
  Email: (given) => (EMAIL.test(given) ? given.toLowerCase() : undefined),
};

/**
 * The canonical spelling of a subject's identifier; undefined where it is of no accepted kind.
 * @example readSubject('529.982.247-25', ['CPF']) // '52998224725'
 */
export function readSubject(given: string, kinds: readonly IdentifierKind[]): string | undefined {
  const isAny = kinds.length === 0;
  const read = (isAny ? IDENTIFIER_KINDS : kinds).map((kind) => READERS[kind](given));
  return read.find((value) => value !== undefined) ?? (isAny ? given : undefined);
}
