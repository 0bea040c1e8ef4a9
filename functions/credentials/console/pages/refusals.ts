import { reasonsBy } from '../../../../shared/console/refusals.ts';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import { sentences } from '../../items/sentences.ts';

export { reasonMarkup, refusalOf } from '../../../../shared/console/refusals.ts';

type ErrorCode = Parameters<typeof errors.refuse>[0];
type Sentences = Readonly<Partial<Record<ErrorCode, string>>>;

// The sentences of the error table that the console shows in Portuguese, and those that a key's caller reads otherwise.
const PORTUGUESE: Sentences = {
  Forbidden: 'Sua função na organização não permite esta operação. Peça a um administrador dela.',
  EndpointNotFound: 'Confira se o endereço está completo. O que estava aqui pode ter sido removido.',
  SubscriptionNotFound: 'A organização não existe mais, ou você não faz parte dela.',
  InstituteNotFound: 'O instituto não existe, ou não é da sua organização.',
  ItemNotFound: 'Este item não existe, ou não é da sua organização.',
  FileNotFound: 'O item não tem este arquivo, ou ele ainda não foi assinado.',
  TokenNotFound: 'O carimbo ainda não foi aplicado.',
  BatchNotFound: 'O lote não existe, ou não é da sua organização.',
  UploadNotFound: 'O arquivo enviado não existe mais. Envie de novo.',
  MemberNotFound: 'Esta pessoa já não faz parte da organização.',
  MemberAlreadyExists: 'Já há alguém na organização com este e-mail ou CPF.',
  MaxMembersLimitReached: 'A organização tem o número máximo de pessoas.',
  LastAdministrator: 'A organização ficaria sem administrador. Torne outra pessoa administradora primeiro.',
  OrganizationKindMismatch: 'A organização não é do tipo que esta operação precisa.',
  InvalidStatus: 'A situação do item não permite esta operação. Confira: ela pode ter mudado.',
  CancellationReasonMismatch: 'Uma anulação precisa de um dos motivos da lista.',
  InvalidPeriod: 'O período precisa começar antes de terminar, e terminar hoje ou antes.',
  InvalidXml: 'O arquivo XML não pode ser lido, ou não é o que o nome diz.',
  SignersRequired: 'O instituto não tem quem assine. Um administrador define as pessoas em Organização.',
  SignersPending: 'Nenhum documento do item deu errado: ele ainda espera por quem assina.',
  FileNotSigned: 'O arquivo ainda não foi assinado.',
  RestampPending: 'Um carimbo deste arquivo ainda não foi aplicado.',
  TooManyRestamps: 'O arquivo já tem o número máximo de carimbos que se pode pedir.',
  TimestampAuthorityRequired: 'Esta instalação não tem autoridade de carimbo do tempo.',
  RegistrarNotFound: 'Não há registradora com este identificador.',
  FileChanged: 'O arquivo guardado não é o que foi assinado. Avise quem administra a instalação.',
  InvalidWebhookUrl:
    'Este endereço não pode ser usado: ele precisa estar na internet pública e ter um nome que exista.',
  WebhookNotConfigured: 'Nenhum webhook ativo recebe os eventos deste item.',
  TooManyLines: 'O arquivo tem linhas demais.',
  TooManyFiles: 'São arquivos demais de uma vez.',
  SearchTooWide: 'A busca leria itens demais. Escolha também uma situação ou um período.',
  InvalidFields: 'Um campo falta ou não vale. Confira os campos.',
  InvalidRequest: 'O envio é lento demais, grande demais ou de outro tipo.',
  TooManyRequests: 'Foram pedidos demais em pouco tempo. Espere um minuto e tente de novo.',
  ServiceUnavailable: 'O armazenamento não respondeu a tempo. Espere um pouco e confira se foi feito.',
  UnexpectedError: 'Algo falhou. Confira se foi feito antes de tentar de novo.',
};

const ENGLISH: Sentences = {
  Forbidden: 'Your role in the organization does not allow this operation. Ask one of its administrators.',
  EndpointNotFound: 'Check that the address is complete. What was here may have been removed.',
  SubscriptionNotFound: 'The organization does not exist any more, or you are no member of it.',
  InstituteNotFound: 'The institute does not exist, or is not of your organization.',
  ItemNotFound: 'This item does not exist, or is not of your organization.',
  BatchNotFound: 'The batch does not exist, or is not of your organization.',
  UploadNotFound: 'The file that was sent does not exist any more. Send it again.',
  CancellationReasonMismatch: 'An annulment needs one of the reasons of the list.',
  SignersRequired: 'The institute has nobody who signs. An administrator names them under Organization.',
};

/** What a refusal says on a page. A sentence without a translation stays English. */
export function refusalText({ code, message }: Refusal, language: Language): string {
  const own = (language === 'en' ? ENGLISH : PORTUGUESE)[code as ErrorCode];
  return own ?? errors.text(code) ?? message;
}

/** Why something was refused, or is stuck. */
export const reasonOf = reasonsBy(sentences, refusalText);
