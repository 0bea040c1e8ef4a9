import { translations } from '../../../../shared/ui/translations.ts';

export const loginWords = translations({
  title: { en: 'Log in', 'pt-BR': 'Entrar' },
  service: { en: 'Batch signing', 'pt-BR': 'Assinatura em lote' },
  key: { en: 'Operator key', 'pt-BR': 'Chave do operador' },
  logIn: { en: 'Log in', 'pt-BR': 'Entrar' },
  'auth.invalid-credentials': {
    en: 'The key is wrong. Check it and try again.',
    'pt-BR': 'A chave está errada. Confira e tente de novo.',
  },
  'auth.misconfigured': {
    en: 'Nobody can log in: the service has no operator key. Whoever runs it sets Auth:ApiKey.',
    'pt-BR':
      'Ninguém pode entrar: o serviço não tem chave do operador. Quem o administra configura Auth:ApiKey.',
  },
  loggedIn: { en: 'You are logged in', 'pt-BR': 'Você já entrou' },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
});
