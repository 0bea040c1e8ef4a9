import type { RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { meaningBy, type Problem } from '../../../../../shared/ui/browser/signing/problems.ts';
import { REFUSALS } from '../../../../../shared/ui/browser/signing/words.ts';
import { translations } from '../../../../../shared/ui/translations.ts';

/** The texts of the page while somebody acts. */
export const actingWords = translations({
  approving: { en: 'Recording your approval…', 'pt-BR': 'Registrando sua aprovação…' },
  refusing: { en: 'Recording your refusal…', 'pt-BR': 'Registrando sua recusa…' },
  done: {
    en: 'Done: your part is recorded. Reload the page to see the document.',
    'pt-BR': 'Pronto: sua parte foi registrada. Recarregue a página para ver o documento.',
  },
  locating: { en: 'Asking the browser…', 'pt-BR': 'Consultando o navegador…' },
  location: {
    en: (place: string, meters: string) => `Recorded with the signature: ${place}, within ${meters} m.`,
    'pt-BR': (place: string, meters: string) =>
      `Fica registrada com a assinatura: ${place}, com margem de ${meters} m.`,
  },
  noLocation: {
    en: 'The browser did not give a location. You can sign without it.',
    'pt-BR': 'O navegador não informou a localização. Você pode assinar sem ela.',
  },
  giveReason: { en: 'Say why you refuse.', 'pt-BR': 'Diga por que você recusa.' },
});

/** The meaning of the server's refusals for the person who acts, by code. */
const refusalWords = translations({
  CpfMismatch: {
    en: 'The certificate is of another person: its CPF is not the one that the document asks for.',
    'pt-BR': 'O certificado é de outra pessoa: o CPF dele não é o que o documento pede.',
  },
  CpfNotExpected: {
    en: 'The document waits for no signature by the CPF of this certificate.',
    'pt-BR': 'O documento não espera assinatura do CPF deste certificado.',
  },
  CompanyIdentifierMismatch: {
    en: 'The certificate is not of the company that the document asks for.',
    'pt-BR': 'O certificado não é da empresa que o documento pede.',
  },
  CertificateHolderTypeMismatch: {
    en: 'The document asks for a certificate of another kind of holder: a person’s (e-CPF) or a company’s (e-CNPJ).',
    'pt-BR':
      'O documento pede um certificado de outro tipo de titular: de pessoa (e-CPF) ou de empresa (e-CNPJ).',
  },
  CertificateTypeMismatch: {
    en: 'The document asks for a certificate of another type of ICP-Brasil, such as A1 or A3.',
    'pt-BR': 'O documento pede um certificado de outro tipo da ICP-Brasil, como A1 ou A3.',
  },
  CertificateNotFound: REFUSALS.certificateUnreadable,
  InvalidTicket: {
    en: 'This link has expired or was replaced. Ask for a new one.',
    'pt-BR': 'Este link expirou ou foi substituído. Peça um novo.',
  },
  NotInFlow: {
    en: 'You take no part in this document any more, or it was sent to another address of yours.',
    'pt-BR': 'Você não participa mais deste documento, ou ele foi enviado a outro endereço seu.',
  },
  CodeRequired: {
    en: 'This document is shown after a code by mail. Open it to read and sign it.',
    'pt-BR': 'Este documento é mostrado depois de um código por e-mail. Abra-o para ler e assinar.',
  },
  DocumentInvalidKey: { en: 'The document is no longer here.', 'pt-BR': 'O documento não está mais aqui.' },
  InvalidFlowAction: {
    en: 'The document does not wait for you at the moment. Reload the page to see why.',
    'pt-BR': 'O documento não espera por você neste momento. Recarregue a página para ver o motivo.',
  },
  InvalidDocumentStatus: {
    en: 'The document is closed. Reload the page to see why.',
    'pt-BR': 'O documento está encerrado. Recarregue a página para ver o motivo.',
  },
  InvalidSignatureToken: {
    en: 'Somebody else signed at the same time. Nothing of yours is lost: sign again.',
    'pt-BR': 'Outra pessoa assinou ao mesmo tempo. Nada seu se perdeu: assine de novo.',
  },
  InvalidSignature: REFUSALS.signatureInvalid,
  DocumentNotSignable: {
    en: 'The file of this document cannot be signed as it is. Tell the sender of the link.',
    'pt-BR': 'O arquivo deste documento não pode ser assinado como está. Avise quem enviou o link.',
  },
  SigningUnavailable: {
    en: 'Signing is not set up here yet. Tell the sender of the link.',
    'pt-BR': 'A assinatura ainda não está configurada aqui. Avise quem enviou o link.',
  },
  TimestampUnavailable: {
    en: 'The time authority did not answer, so nothing was signed. Try again in some minutes.',
    'pt-BR':
      'A autoridade do carimbo do tempo não respondeu, então nada foi assinado. Tente em alguns minutos.',
  },
  ContentNotAvailable: {
    en: 'The file of this document is not available at the moment. Try again in some minutes.',
    'pt-BR': 'O arquivo deste documento não está disponível agora. Tente de novo em alguns minutos.',
  },
  TooManyRequests: REFUSALS.tooMany,
});

const meaningOf = meaningBy(refusalWords(language), [
  'CpfMismatch',
  'CpfNotExpected',
  'CompanyIdentifierMismatch',
  'CertificateHolderTypeMismatch',
  'CertificateTypeMismatch',
  'CertificateNotFound',
]);

/** Explains a refusal to the person who acts; undefined for an unknown code. */
export function refusalProblem(refused: RequestRefused): Problem | undefined {
  const problem = meaningOf(refused);
  const { reason } = refused.code === 'DocumentNotSignable' ? refused.details : {};
  return problem && reason ? { ...problem, reasons: [reason] } : problem;
}
