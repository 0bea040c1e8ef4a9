import type { Problem } from '../../../../../../shared/ui/browser/signing/problems.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import { refusalCode, refusalText } from '../../refusals.ts';

/** The texts of the panel while somebody signs. */
export const approverWords = translations({
  done: {
    en: 'Signed: your approval is recorded.',
    'pt-BR': 'Assinado: sua aprovação foi registrada.',
  },
  typeCode: {
    en: 'Type the code that your authenticator app shows.',
    'pt-BR': 'Digite o código que aparece no seu aplicativo autenticador.',
  },
  otherContent: {
    en: 'Nothing was signed: the file on the server is not the one that this page shows. Do not sign it. Tell your administrator.',
    'pt-BR':
      'Nada foi assinado: o arquivo no servidor não é o que esta página mostra. Não o assine. Avise seu administrador.',
  },
  refused: {
    en: (code: string) => `Nothing was recorded (${code}). Reload the page and try again.`,
    'pt-BR': (code: string) => `Nada foi registrado (${code}). Recarregue a página e tente de novo.`,
  },
});

const ABOUT: Readonly<Record<string, Problem['about']>> = {
  'approval.certificate-invalid': 'file',
  'approval.certificate-without-cpf': 'file',
  'approval.certificate-cpf-mismatch': 'file',
  'code-required': 'code',
  'approval.second-factor-invalid-code': 'code',
};

/** Explains a refusal; undefined for an unknown code. */
export function refusalProblem(language: Language, code: string): Problem | undefined {
  const text = refusalText(language, code);
  if (text === undefined) return undefined;
  return { text, reasons: [], about: ABOUT[code], code: refusalCode(language, code) };
}
