import { translations } from '../../../../shared/ui/translations.ts';

export const loginWords = translations({
  ended: {
    en: 'Your session has ended. Nothing was changed; log in to go on.',
    'pt-BR': 'Sua sessão terminou. Nada foi alterado; entre para continuar.',
  },
  title: { en: 'Log in', 'pt-BR': 'Entrar' },
  service: { en: 'Batch signing', 'pt-BR': 'Assinatura em lote' },
  key: { en: 'Operator key', 'pt-BR': 'Chave do operador' },
  logIn: { en: 'Log in', 'pt-BR': 'Entrar' },
  wrongKey: {
    en: 'The key is wrong. Check it and try again.',
    'pt-BR': 'A chave está errada. Confira e tente de novo.',
  },
  byProvider: { en: 'Sign in with your organization', 'pt-BR': 'Entrar com a conta da organização' },
  providerDecides: {
    en: 'Your organization decides who may operate this service.',
    'pt-BR': 'Sua organização decide quem pode operar este serviço.',
  },
  unreachable: {
    en: 'The sign-in of your organization does not answer. Wait a minute and try again.',
    'pt-BR': 'O acesso da sua organização não responde. Espere um minuto e tente de novo.',
  },
  refused: { en: 'You cannot log in right now', 'pt-BR': 'Não é possível entrar agora' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  again: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  loggedIn: { en: 'You are logged in', 'pt-BR': 'Você já entrou' },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
});
