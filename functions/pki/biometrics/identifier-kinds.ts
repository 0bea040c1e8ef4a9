import { type Setting, text } from '../../../shared/settings/kinds.ts';

/** What subjects of biometric sessions may be known by. */
export const IDENTIFIER_KINDS = ['CPF', 'CNPJ', 'Email'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

/** A setting that lists some of them. Empty takes any text. @example identifierKinds('Which subjects may have.') */
export const identifierKinds = (why: string): Setting<readonly IdentifierKind[]> => ({
  ...text('', why),
  unit: 'kinds',
  default: [],
  parse: (given) => given.split(',').flatMap(kindOf),
});

function kindOf(word: string): IdentifierKind[] {
  const wanted = word.trim().toLowerCase();
  const kind = IDENTIFIER_KINDS.find((each) => each.toLowerCase() === wanted);
  if (kind === undefined && wanted !== '')
    throw new Error(`must list some of ${IDENTIFIER_KINDS.join(', ')}, with commas between`);
  return kind ? [kind] : [];
}
