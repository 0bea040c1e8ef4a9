import type { Details } from '../../../shared/errors/errors.ts';
import { FIELD_RULES } from '../../../shared/ui/field-rules.ts';
import { ownWords, type Sentence, type SentenceRows, sentenceTable } from '../../../shared/ui/sentences.ts';
import { type ErrorCode, errors } from '../errors.ts';

/** The rules of the contracts, whose own words are their codes. */
const RULES = ownWords({
  'is not a CPF': 'não é um CPF',
  'is not a CNPJ': 'não é um CNPJ',
  'is not a date': 'não é uma data',
  'is not a prefix': 'não é um prefixo',
  'is too far away': 'fica longe demais',
  'has a control character in it': 'tem um caractere de controle',
  'has a line break or another control character in it':
    'tem uma quebra de linha ou outro caractere de controle',
  'has a character in it that is not seen, or turns the reading direction':
    'tem um caractere que não se vê, ou que inverte o sentido da leitura',
  'name more than 500 people': 'indicam mais de 500 pessoas',
  'has neither label nor value': 'não tem rótulo nem valor',
  'names one twice': 'indica um duas vezes',
  'names one person twice: distinguish people by identifier, email or id':
    'indica uma pessoa duas vezes: diferencie as pessoas por CPF, e-mail ou id',
  'is more than the people of the rule': 'é mais do que as pessoas da regra',
  'is a person, and the action asks for a company too': 'é uma pessoa, e a ação pede também uma empresa',
  'is required to sign an element': 'falta para assinar um elemento',
  'is for the type XmlElement': 'é do tipo XmlElement',
  'is beside the root, where XML has no place': 'fica ao lado da raiz, onde o XML não tem lugar',
});

/** What is recorded of refused lines, and said of files, in every language of the pages. Values are in braces. */
const rows = {
  ...FIELD_RULES,
  ...RULES,

  'line.too-long': { en: 'is longer than {bytes} bytes', 'pt-BR': 'tem mais de {bytes} bytes' },

  'table.too-large': { en: 'It is larger than {bytes} bytes.', 'pt-BR': 'Ele tem mais de {bytes} bytes.' },
  'table.too-long': {
    en: 'It has more than {lines} lines. Send them in several files.',
    'pt-BR': 'Ele tem mais de {lines} linhas. Envie-as em vários arquivos.',
  },
  'table.open-quote': {
    en: 'The quote in the record of line {line} is never closed.',
    'pt-BR': 'As aspas no registro da linha {line} nunca se fecham.',
  },
  'table.many-values': {
    en: 'Line {line} has more than {values} values.',
    'pt-BR': 'A linha {line} tem mais de {values} valores.',
  },
  'table.empty': {
    en: 'It has no line below the names of its columns.',
    'pt-BR': 'Ele não tem linhas abaixo dos nomes das colunas.',
  },
  'table.same-columns': {
    en: 'Two of its columns have the name "{name}".',
    'pt-BR': 'Duas colunas dele têm o nome "{name}".',
  },
  'table.nameless-column': {
    en: 'One of its columns has no name.',
    'pt-BR': 'Uma das colunas dele não tem nome.',
  },
  'table.many-columns': {
    en: 'It has more than {columns} columns.',
    'pt-BR': 'Ele tem mais de {columns} colunas.',
  },
  'table.missing-column': {
    en: 'It has no column "{name}", which the request or the template names. Its columns: {columns}.',
    'pt-BR': 'Ele não tem a coluna "{name}", que o pedido ou o modelo indica. As colunas dele: {columns}.',
  },

  'template.no-fields': {
    en: 'None of its fields is a column of the data. Its fields: {fields}.',
    'pt-BR': 'Nenhum dos campos dele é uma coluna dos dados. Os campos dele: {fields}.',
  },
  'template.other-kind': {
    en: 'It is neither a PDF nor a text of up to {bytes} bytes in UTF-8.',
    'pt-BR': 'Não é um PDF, nem um texto de até {bytes} bytes em UTF-8.',
  },
  'template.too-large': {
    en: 'It is larger than Downloads:MaxDrawnBytes.',
    'pt-BR': 'É maior do que Downloads:MaxDrawnBytes permite.',
  },
  'values.too-long': {
    en: 'With its values the text has more than {letters} letters.',
    'pt-BR': 'Com seus valores, o texto tem mais de {letters} letras.',
  },
  'pdf.encrypted': { en: 'The PDF is encrypted.', 'pt-BR': 'O PDF está cifrado.' },
  'pdf.broken': { en: 'The PDF cannot be read.', 'pt-BR': 'O PDF não pode ser lido.' },
  'pdf.signed': { en: 'The PDF is signed.', 'pt-BR': 'O PDF está assinado.' },
  'pdf.too-long': {
    en: 'The PDF took too long to fill in.',
    'pt-BR': 'O PDF demorou demais para ser preenchido.',
  },

  'electronic.not-chosen': {
    en: 'The organization has chosen that nobody signs without a certificate.',
    'pt-BR': 'A organização escolheu que ninguém assina sem certificado.',
  },
} as const satisfies SentenceRows;

/** Reasons that are recorded: the API answers them in English, and pages show them in the language of the reader. */
export const sentences = sentenceTable(rows);
export const { say } = sentences;

/** A refusal with its reason, in English for the API. @example throw refuseBecause('DataFileNotUsable', say('table.empty')) */
export const refuseBecause = (code: ErrorCode, reason: Sentence, details: Details = {}) => {
  const { message, said } = sentences.recordedAs(reason);
  return errors.refuse(code, { ...details, reason: message }, { said });
};
