import type { FieldProblem } from '../../../../../../shared/errors/errors.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';

type Row = readonly [said: RegExp, en: string, pt: string];

/** What the domain says of a field, for a person. The first that fits counts. */
const ROWS: readonly Row[] = [
  [
    /^must have 1 to 40/,
    'Use 1 to 40 lower-case letters, digits and inner dashes.',
    'Use de 1 a 40 letras minúsculas, dígitos e hífens no meio.',
  ],
  [/is no CPF/, 'This is no CPF. Check its digits.', 'Não é um CPF. Confira os dígitos.'],
  [
    /hh:mm:ss/,
    'Write hours:minutes:seconds, such as 48:00:00 or 2.00:00:00 for two days.',
    'Escreva horas:minutos:segundos, como 48:00:00 ou 2.00:00:00 para dois dias.',
  ],
  [/^Invalid email/, 'This is no e-mail address.', 'Não é um endereço de e-mail.'],
  [
    /^Invalid (?:G|U)UID/,
    'This is no folder id. It looks like 44444444-4444-4444-8444-444444444444.',
    'Não é um identificador de pasta. Ele é como 44444444-4444-4444-8444-444444444444.',
  ],
  [/name each person once/, 'Somebody is named twice.', 'Alguém foi indicado duas vezes.'],
  [
    /control or direction/,
    'The name has characters that cannot be seen. Type it again.',
    'O nome tem caracteres invisíveis. Digite-o de novo.',
  ],
  [
    /exceed the number of approvers/,
    'This is more than there are approvers.',
    'É mais do que o número de aprovadores.',
  ],
  [/at least 16 bytes/, 'Use at least 16 bytes in base64.', 'Use pelo menos 16 bytes em base64.'],
  [/must be base64/, 'This is not base64.', 'Não está em base64.'],
  [/^is required with a password/, 'A password needs a salt.', 'Uma senha precisa de um salt.'],
  [/^is required, unless/, 'Give a password.', 'Informe uma senha.'],
  [
    /^must be one certificate/,
    'Paste one certificate, in PEM or base64.',
    'Cole um certificado, em PEM ou base64.',
  ],
  [/^is required by the method/, 'The method needs these fields.', 'O método precisa destes campos.'],
  [/^is required/, 'This is required.', 'Campo obrigatório.'],
  [
    /^feeds no profile/,
    'A profile of this method takes no files. Choose no folder.',
    'Um perfil deste método não recebe arquivos. Não escolha pasta.',
  ],
  [/^is for the format Cades/, 'This is for the format CAdES alone.', 'Só existe no formato CAdES.'],
  [
    /^is for files/,
    'Approval is for files, and this method signs none.',
    'A aprovação é de arquivos, e este método não assina nenhum.',
  ],
  [
    /which files of the format/,
    'Files of this format take no signatures of approvers. Choose CAdES.',
    'Arquivos deste formato não recebem assinaturas de aprovadores. Escolha CAdES.',
  ],
  [
    /with this method others sign/,
    'With this method others sign. Let the profile alone sign.',
    'Com este método outros assinam. Deixe só o perfil assinar.',
  ],
  [
    /^Too small: expected array|^Too small: expected string/,
    'This must not be empty.',
    'Não pode ficar vazio.',
  ],
  [/^Too big: expected array/, 'These are too many.', 'São demais.'],
  [/^Too big: expected string/, 'This is too long.', 'É longo demais.'],
  [
    /^Too (?:small|big): expected number|expected number|expected int/,
    'Write a whole number within the limits, from 1.',
    'Escreva um número inteiro dentro dos limites, a partir de 1.',
  ],
  [/^must not be empty/, 'This must not be empty.', 'Não pode ficar vazio.'],
  [/^must be /, 'Choose one of the values.', 'Escolha um dos valores.'],
];

/** A problem in words. One that the table does not know is shown as the domain says it. */
export function problemText(language: Language, { message }: FieldProblem): string {
  const [, en, pt] = ROWS.find(([said]) => said.test(message)) ?? [];
  return (language === 'en' ? en : pt) ?? message;
}
