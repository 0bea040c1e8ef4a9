import type { Said } from '../../../shared/errors/said.ts';
import { FIELD_RULES } from '../../../shared/ui/field-rules.ts';
import { ownWords, type SentenceRows, sentenceTable } from '../../../shared/ui/sentences.ts';
import { errors } from '../errors.ts';

/** What is recorded of refused lines and of items that are stuck, in every language of the pages. Values are in braces. */
const rows = {
  ...FIELD_RULES,
  ...ownWords({
    'must be a CPF of 11 digits': 'precisa ser um CPF de 11 dígitos',
    'must be a CPF with right check digits': 'precisa ser um CPF com os dígitos verificadores certos',
    'has a line break, a control character or another character in it that is not seen':
      'tem uma quebra de linha, um caractere de controle ou outro que não se vê',
    'has a control character in it': 'tem um caractere de controle',
  }),

  'table.open-quote': {
    en: 'A quoted value that begins in the record of line {line} has no closing quote.',
    'pt-BR': 'Um valor entre aspas que começa no registro da linha {line} não tem aspas de fechamento.',
  },
  'table.many-values': {
    en: 'has more than {values} values in line {line}',
    'pt-BR': 'tem mais de {values} valores na linha {line}',
  },
  'table.unknown-column': {
    en: 'has the column "{name}", which is none of a degree',
    'pt-BR': 'tem a coluna "{name}", que não é de um diploma',
  },
  'table.same-columns': {
    en: 'has the columns "{first}" and "{second}" for the same value',
    'pt-BR': 'tem as colunas "{first}" e "{second}" para o mesmo valor',
  },

  'file.no-signers': {
    en: 'The institute names no signers. An operator names them: npm run admin -- institutes signers.',
    'pt-BR': 'O instituto não tem quem assine. Um administrador define as pessoas em Organização.',
  },
  'file.refused': {
    en: 'The signature platform refused the file: {message}',
    'pt-BR': 'A plataforma de assinaturas recusou o arquivo: {message}',
  },
  'file.gone': {
    en: 'The document is gone from the signature platform: {message}',
    'pt-BR': 'O documento não está mais na plataforma de assinaturas: {message}',
  },
  'file.ended': {
    en: 'The document is {status} at the signature platform.',
    'pt-BR': 'O documento está {status} na plataforma de assinaturas.',
  },
  'file.ended-because': {
    en: 'The document is {status} at the signature platform: {reason}',
    'pt-BR': 'O documento está {status} na plataforma de assinaturas: {reason}',
  },
  'file.unusable': {
    en: 'The signed file does not verify, and was not taken: {why}',
    'pt-BR': 'O arquivo assinado não confere, e não foi aceito: {why}',
  },
  'file.replaced': {
    en: 'It is another file than the one that was handed over. Ask who replaced it there.',
    'pt-BR': 'É outro arquivo, e não o que foi entregue. Pergunte quem o trocou lá.',
  },
  'file.untrusted': {
    en: 'A certificate is not trusted, or was not valid. Have it signed again.',
    'pt-BR': 'Um certificado não é de confiança, ou não era válido. Peça que assinem de novo.',
  },
  'request.ended': {
    en: 'The registration request is {status}.',
    'pt-BR': 'O pedido de registro está {status}.',
  },
  'request.ended-because': {
    en: 'The registration request is {status}: {reason}',
    'pt-BR': 'O pedido de registro está {status}: {reason}',
  },
  'inspection.no-signers': {
    en: 'The institute names no signers any more. An operator names them.',
    'pt-BR': 'O instituto não tem mais quem assine. Um administrador define as pessoas em Organização.',
  },
  'inspection.nothing.Issuer': {
    en: 'The institute issued no degree that is signed in this period.',
    'pt-BR': 'O instituto não emitiu diploma assinado neste período.',
  },
  'inspection.nothing.Registrar': {
    en: 'The institute registered no degree that is signed in this period.',
    'pt-BR': 'O instituto não registrou diploma assinado neste período.',
  },
  'inspection.too-many': {
    en: 'The period has {total} items to look at, and {max} are allowed. Ask for a shorter one.',
    'pt-BR': 'O período tem {total} itens a examinar, e {max} são permitidos. Peça um menor.',
  },
  'inspection.too-slow': {
    en: 'The period took too long to look at. Ask for a shorter one.',
    'pt-BR': 'O exame do período demorou demais. Peça um menor.',
  },
  'inspection.too-large': {
    en: 'The file would have {bytes} bytes, and {max} are allowed. Ask for a shorter period.',
    'pt-BR': 'O arquivo teria {bytes} bytes, e {max} são permitidos. Peça um período menor.',
  },

  Refused: { en: 'Refused', 'pt-BR': 'recusado' },
  Rejected: { en: 'Rejected', 'pt-BR': 'rejeitado' },
  Expired: { en: 'Expired', 'pt-BR': 'expirado' },
  Canceled: { en: 'Canceled', 'pt-BR': 'cancelado' },
  Signed: { en: 'Signed', 'pt-BR': 'assinado' },
} as const satisfies SentenceRows;

/** The API answers them in English, and pages show them in the language of the reader. */
export const sentences = sentenceTable(rows);
export const { say } = sentences;

/** What ended, and why where that is known. The name of a state that no row has is shown as it is. */
export const sayEnd = (what: 'file' | 'request', status: string, reason: string | null | undefined): Said =>
  reason
    ? say(`${what}.ended-because`, { status: { code: status }, reason })
    : say(`${what}.ended`, { status: { code: status } });

/** The refusal of a field, in English for the API. */
export const refuseField = (field: string, reason: Said) => {
  const message = sentences.inEnglish(reason);
  const fields = [{ field, message, rule: reason }];
  return errors.refuse('InvalidFields', { field, reason: message }, { fields });
};
