import { reasonsBy } from '../../../../shared/console/refusals.ts';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type ErrorCode, errors } from '../../errors.ts';
import { sentences } from '../../sentences/sentences.ts';

export { reasonMarkup, refusalOf } from '../../../../shared/console/refusals.ts';

// The sentences of the error table that the console shows in Portuguese, and those that a key's caller reads otherwise.
const PORTUGUESE: Readonly<Partial<Record<ErrorCode, string>>> = {
  Forbidden: 'Sua função na organização não permite esta operação. Peça a quem é proprietário.',
  EndpointNotFound: 'Confira se o endereço está completo. O que estava aqui pode ter sido removido.',
  OrganizationNotFound: 'A organização não existe mais, ou você não faz parte dela.',
  MemberNotFound: 'Esta pessoa já não faz parte da organização.',
  MemberAlreadyExists: 'Já há alguém na organização com este e-mail ou CPF.',
  MaxMembersLimitReached: 'A organização tem o número máximo de pessoas.',
  LastOwner: 'A organização ficaria sem proprietário. Torne outra pessoa proprietária primeiro.',
  OperationNotSupportedInPersonalOrganizations: 'Isto não existe em uma organização pessoal.',
  MaxWebhooksLimitReached: 'A organização tem o número máximo de webhooks.',
  InvalidWebhookUrl:
    'Este endereço não pode ser usado: ele precisa estar na internet pública e ter um nome que exista.',
  WebhookNotFound: 'O webhook não existe mais.',
  DeliveryNotFound: 'A entrega não existe mais.',
  DeliveryNotFinished: 'A entrega ainda espera por uma tentativa. Só uma que terminou é enviada de novo.',
  EventNotKept: 'O conteúdo desta entrega já não está guardado; ela não pode ser enviada de novo.',
  ApplicationNotFound: 'O aplicativo ou a chave não existe mais.',
  MaxApplicationsLimitReached:
    'A organização tem o número máximo de aplicativos, ou o aplicativo, de chaves.',
  MailNotEnabled: 'Esta instalação não tem servidor de e-mail: nada seria enviado.',
  DocumentNotFound: 'O documento não existe, ou não é da sua organização.',
  FolderNotFound: 'A pasta não existe, ou não é da sua organização.',
  DraftNotFound: 'O rascunho não existe mais: foi enviado, excluído, ou tem mais de um mês.',
  DraftChanged:
    'Outra pessoa, ou outra janela, alterou o rascunho enquanto isso. Confira antes de salvar por cima.',
  DraftNotReady: 'O rascunho ainda não pode ser enviado. A página dele diz o que falta.',
  TemplateNotFound: 'O modelo não existe mais, ou não é da sua organização.',
  TemplateChanged: 'Outra pessoa alterou o modelo enquanto isso. Confira antes de salvar por cima.',
  TemplateNotUsable: 'O arquivo a assinar não pode ser usado como modelo.',
  DataFileNotUsable: 'O arquivo com as pessoas não pode ser usado.',
  GenerationNotFound: 'Este envio não existe, ou não é da sua organização.',
  InvalidGenerationStatus: 'O envio já terminou, ou já foi parado.',
  GenerationFilesGone: 'As linhas já não estão guardadas. Envie as que faltam em outro arquivo.',
  MaxDraftsLimitReached: 'Você tem o número máximo de rascunhos. Envie ou exclua um primeiro.',
  InvalidFlowAction: 'Esta pessoa já agiu, ou a etapa já passou: não é mais possível alterar.',
  SealRequired:
    'A organização não tem um selo válido, sem o qual ninguém assina sem certificado. Peça a quem administra a instalação.',
  ElectronicSignatureImpossible:
    'Um dos arquivos não pode ser assinado sem certificado: só PDF, e que possa ser selado.',
  DocumentNotSignable:
    'Um dos arquivos PDF está danificado ou protegido. Abra-o em um editor, salve de novo e envie o novo arquivo.',
  InvalidRequest: 'Algo no formulário não vale. Confira os campos.',
  TooManyRequests: 'Foram pedidos demais em pouco tempo. Espere um minuto e tente de novo.',
  ServiceUnavailable: 'O armazenamento não respondeu a tempo. Espere um pouco e confira se foi feito.',
  UnexpectedError: 'Algo falhou. Confira se foi feito antes de tentar de novo.',
};

const ENGLISH: Readonly<Partial<Record<ErrorCode, string>>> = {
  Forbidden: 'Your role in the organization does not allow this operation. Ask an owner.',
  EndpointNotFound: 'Check that the address is complete. What was here may have been removed.',
  OrganizationNotFound: 'The organization does not exist any more, or you are no member of it.',
  SealRequired:
    'Your organization has no valid seal, without which nobody signs without a certificate. Ask whoever runs the installation.',
  DocumentNotSignable:
    'One of the PDF files is broken or protected. Open it in an editor, save it again and send the new file.',
  TemplateNotFound: 'The template does not exist any more, or is not of your organization.',
  TemplateNotUsable: 'The file to sign cannot be used.',
  DataFileNotUsable: 'The file with the people cannot be used.',
  GenerationNotFound: 'This does not exist, or is not of your organization.',
  InvalidFlowAction: 'This person has acted already, or the step has passed: it cannot be changed any more.',
  DocumentNotFound: 'The document does not exist, or is not of your organization.',
  FolderNotFound: 'The folder does not exist, or is not of your organization.',
};

/** What a refusal says on a page. A sentence without a translation stays English. */
export function refusalText({ code, message }: Refusal, language: Language): string {
  const own = (language === 'en' ? ENGLISH : PORTUGUESE)[code as ErrorCode];
  return own ?? errors.text(code) ?? message;
}

/** Why something was refused, of a file or a line. */
export const reasonOf = reasonsBy(sentences, refusalText);
