import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { type ErrorCode, errors } from '../../errors.ts';

/** Codes of the error table that an approver is told otherwise than an operator. */
const approverWords = translations({
  'job.not-found': {
    en: 'There is no such file among your approvals.',
    'pt-BR': 'Não existe esse arquivo entre as suas aprovações.',
  },
  'auth.invalid-credentials': {
    en: 'Your session has ended. Open the link that you were sent again.',
    'pt-BR': 'Sua sessão terminou. Abra de novo o link que você recebeu.',
  },
});

/** Problems of the portal's pages alone. */
const problemWords = translations({
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
});

/** A code of the error table, or a problem of the portal's pages. */
export type ShownCode = ErrorCode | keyof ReturnType<typeof problemWords>;

/** What an approver is told. Content spoofing: an unknown code has no words, so that a link cannot put words on a page. */
export function refusalText(language: Language, code: string): string | undefined {
  const own: Readonly<Record<string, string>> = { ...approverWords(language), ...problemWords(language) };
  return Object.hasOwn(own, code) ? own[code] : errors.text(code, language);
}

// Not "code": next to the codes of an authenticator app that would be another thing.
const codeWords = translations({ error: { en: 'Error', 'pt-BR': 'Erro' } });

/** The code of a refusal, for whoever is asked for help. Undefined for a problem of the pages alone, which has no dot. */
export const refusalCode = (language: Language, code: string): string | undefined =>
  code.includes('.') ? `${codeWords(language).error}: ${code}` : undefined;
