import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';

/**
 * Refusals and problems in the words of a person who decides, for every page, form and script of the portal. Any other is
 * told by its code.
 */
const refusalWords = translations({
  'job.not-found': {
    en: 'There is no such file among your approvals.',
    'pt-BR': 'Não existe esse arquivo entre as suas aprovações.',
  },
  'approval.not-pending': {
    en: 'This file no longer waits for a decision. Nothing was recorded.',
    'pt-BR': 'Este arquivo já não espera por uma decisão. Nada foi registrado.',
  },
  'approval.already-decided': {
    en: 'You have decided on this file already. A decision is final.',
    'pt-BR': 'Você já decidiu sobre este arquivo. A decisão é definitiva.',
  },
  'approval.signature-required': {
    en: 'To approve this file you sign it with your certificate. Open it, and choose how to sign.',
    'pt-BR': 'Para aprovar este arquivo você o assina com seu certificado. Abra-o e escolha como assinar.',
  },
  'validation.reason-too-long': {
    en: 'The reason is too long. Nothing was recorded: go back and shorten it.',
    'pt-BR': 'O motivo é longo demais. Nada foi registrado: volte e encurte-o.',
  },
  'auth.cross-origin': {
    en: 'Another site sent this in your name. Nothing was recorded.',
    'pt-BR': 'Outro site enviou isto em seu nome. Nada foi registrado.',
  },
  'store.unavailable': {
    en: 'The service does not answer at the moment. Wait a minute, look at your approvals, and try again.',
    'pt-BR': 'O serviço não responde no momento. Espere um minuto, veja suas aprovações e tente de novo.',
  },
  'approval.unknown-decision': {
    en: 'Choose whether you approve or reject. Nothing was recorded.',
    'pt-BR': 'Escolha se você aprova ou rejeita. Nada foi registrado.',
  },
  'approval.unknown-approver': {
    en: 'This address may not decide on this file. Nothing was recorded.',
    'pt-BR': 'Este endereço não pode decidir sobre este arquivo. Nada foi registrado.',
  },
  'approval.second-factor-required': {
    en: 'Decisions are made in the approver portal, with a code of your second factor. Nothing was recorded.',
    'pt-BR':
      'As decisões são tomadas no portal de aprovações, com um código do seu segundo fator. Nada foi registrado.',
  },
  'approval.second-factor-invalid-code': {
    en: 'The code is wrong, or it was used already. Wait for the next one that the app shows. Check that the clock of the phone is right.',
    'pt-BR':
      'O código está errado ou já foi usado. Espere pelo próximo que o aplicativo mostrar. Verifique se o relógio do celular está certo.',
  },
  'approval.second-factor-locked-out': {
    en: 'Too many wrong codes. Wait five minutes and try again: until then right codes are refused too.',
    'pt-BR':
      'Códigos errados demais. Espere cinco minutos e tente de novo: até lá, códigos certos também são recusados.',
  },
  'approval.job-incomplete': {
    en: 'This file cannot be decided on: its rule is incomplete. Tell whoever runs the service.',
    'pt-BR':
      'Não é possível decidir sobre este arquivo: a regra dele está incompleta. Avise quem administra o serviço.',
  },
  'approval.certificate-invalid': {
    en: 'This certificate may not sign: it has expired, was revoked, or comes from an authority that is not trusted here. Choose another one.',
    'pt-BR':
      'Este certificado não pode assinar: venceu, foi revogado ou é de uma autoridade que não é aceita aqui. Escolha outro.',
  },
  'approval.certificate-without-cpf': {
    en: 'This certificate is not of a person: it has no CPF of its holder. Choose your own certificate (e-CPF).',
    'pt-BR':
      'Este certificado não é de uma pessoa: não tem o CPF do titular. Escolha o seu certificado (e-CPF).',
  },
  'approval.certificate-cpf-mismatch': {
    en: 'This certificate is of another person: its CPF is not the one of this approver. Choose your own certificate.',
    'pt-BR':
      'Este certificado é de outra pessoa: o CPF não é o deste aprovador. Escolha o seu próprio certificado.',
  },
  'approval.signature-invalid': {
    en: 'The signature does not match the file and the certificate. Nothing was recorded. Try again.',
    'pt-BR': 'A assinatura não corresponde ao arquivo e ao certificado. Nada foi registrado. Tente de novo.',
  },
  'approval.signature-conflict': {
    en: 'You have decided on this file already, for example in another window. This signature was not recorded.',
    'pt-BR':
      'Você já decidiu sobre este arquivo, por exemplo em outra janela. Esta assinatura não foi registrada.',
  },
  'code-required': {
    en: 'Type the code of your authenticator app. Nothing was recorded.',
    'pt-BR': 'Digite o código do seu aplicativo autenticador. Nada foi registrado.',
  },
  'not-enrolled': {
    en: 'Set up your authenticator app first.',
    'pt-BR': 'Configure primeiro o seu aplicativo autenticador.',
  },
  'no-provider': {
    en: 'No provider of cloud certificates holds a certificate for your CPF.',
    'pt-BR': 'Nenhum provedor de certificados em nuvem tem um certificado do seu CPF.',
  },
  'provider-failed': {
    en: 'The provider of your certificate did not sign: it was not allowed there, or it did not answer. Nothing was recorded. Try again.',
    'pt-BR':
      'O provedor do seu certificado não assinou: o uso não foi autorizado ou ele não respondeu. Nada foi registrado. Tente de novo.',
  },
  'attempt-unknown': {
    en: 'This signature was begun by somebody else, or not here. Nothing was recorded.',
    'pt-BR': 'Esta assinatura foi iniciada por outra pessoa ou não aqui. Nada foi registrado.',
  },
  'attempt-over': {
    en: 'The time for this signature is over, or it has ended. Nothing more was recorded. Begin another one.',
    'pt-BR': 'O tempo desta assinatura acabou ou ela já terminou. Nada mais foi registrado. Comece outra.',
  },
  signing: {
    en: 'Your signature is being made. Reload this page in a minute.',
    'pt-BR': 'Sua assinatura está sendo feita. Recarregue esta página em um minuto.',
  },
  unexpected: {
    en: 'Something went wrong. Look at the file before you try again.',
    'pt-BR': 'Algo deu errado. Veja o arquivo antes de tentar de novo.',
  },
  'reason-missing': {
    en: 'Write why you reject the file. Nothing was recorded.',
    'pt-BR': 'Escreva por que você rejeita o arquivo. Nada foi registrado.',
  },
  'auth.invalid-credentials': {
    en: 'Your session has ended. Open the link that you were sent again.',
    'pt-BR': 'Sua sessão terminou. Abra de novo o link que você recebeu.',
  },
  'rate-limited': {
    en: 'Too many attempts. Wait a minute and try again.',
    'pt-BR': 'Tentativas demais. Espere um minuto e tente de novo.',
  },
});

export type ShownCode = keyof ReturnType<typeof refusalWords>;

/** A refusal in those words. Content spoofing: an unknown code has none, so that a link cannot put words on a page. */
export function refusalText(language: Language, code: string): string | undefined {
  const known: Readonly<Record<string, string>> = refusalWords(language);
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

// Not "code": next to the codes of an authenticator app that would be another thing.
const codeWords = translations({ error: { en: 'Error', 'pt-BR': 'Erro' } });

/** The code of a refusal, for whoever is asked for help. Undefined for a problem of the pages alone, which has no dot. */
export const refusalCode = (language: Language, code: string): string | undefined =>
  code.includes('.') ? `${codeWords(language).error}: ${code}` : undefined;
