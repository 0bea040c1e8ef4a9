import type { SentenceRows } from './sentences.ts';

/**
 * The rules that every contract has, as shared/http/validate.ts names them, and that of a line in a table. They stand behind
 * the name of a field.
 */
export const FIELD_RULES = {
  'is required': { en: 'is required', 'pt-BR': 'falta' },
  'too-big.text': { en: 'has more than {limit} characters', 'pt-BR': 'tem mais de {limit} caracteres' },
  'too-small.text': { en: 'has fewer than {limit} characters', 'pt-BR': 'tem menos de {limit} caracteres' },
  'too-big.list': { en: 'has more than {limit} entries', 'pt-BR': 'tem mais de {limit} itens' },
  'too-small.list': { en: 'has fewer than {limit} entries', 'pt-BR': 'tem menos de {limit} itens' },
  'too-big.number': { en: 'is more than {limit}', 'pt-BR': 'é mais que {limit}' },
  'too-small.number': { en: 'is less than {limit}', 'pt-BR': 'é menos que {limit}' },
  'other-value': { en: 'is none of: {values}', 'pt-BR': 'não é nenhum destes: {values}' },
  'no-email': { en: 'is not an e-mail address', 'pt-BR': 'não é um endereço de e-mail' },
  'other-format': { en: 'is not written as it must be', 'pt-BR': 'não está escrito como deve' },
  'other-kind': { en: 'is of another kind', 'pt-BR': 'é de outro tipo' },
  unknown: { en: 'is not known', 'pt-BR': 'não é conhecido' },
  'line.values': {
    en: 'has {values} values, and there are {columns} columns',
    'pt-BR': 'tem {values} valores, e há {columns} colunas',
  },
} as const satisfies SentenceRows;
