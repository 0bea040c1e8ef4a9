import { translations } from '../../ui/translations.ts';

/** What every log-in says. The words of a service are beside its console. */
export const loginWords = translations({
  title: { en: 'Log in', 'pt-BR': 'Entrar' },
  ended: {
    en: 'Your session has ended. Nothing was changed; log in to go on.',
    'pt-BR': 'Sua sessão terminou. Nada foi alterado; entre para continuar.',
  },
  byMail: { en: 'By a link in your mail', 'pt-BR': 'Por um link no seu e-mail' },
  email: { en: 'E-mail address', 'pt-BR': 'Endereço de e-mail' },
  sendLink: { en: 'Send me a link', 'pt-BR': 'Enviar um link' },
  notAnAddress: { en: 'This is not an e-mail address.', 'pt-BR': 'Isto não é um endereço de e-mail.' },
  linkSent: { en: 'Look into your mail', 'pt-BR': 'Veja o seu e-mail' },
  linkSentTo: {
    en: 'If this address is of a member, it gets a link that works for 15 minutes:',
    'pt-BR': 'Se este endereço for de alguém da organização, ele recebe um link que vale por 15 minutos:',
  },
  enterTitle: { en: 'Log in', 'pt-BR': 'Entrar' },
  enterAs: { en: 'You log in as', 'pt-BR': 'Você vai entrar como' },
  enter: { en: 'Log in', 'pt-BR': 'Entrar' },
  deadLink: { en: 'This link does not work any more', 'pt-BR': 'Este link já não vale' },
  deadLinkWhy: {
    en: 'It was used, its time is over, or its address is not complete. Ask for another one.',
    'pt-BR': 'Ele já foi usado, o prazo passou ou o endereço está incompleto. Peça outro.',
  },
  noMember: { en: 'You are no member of an organization', 'pt-BR': 'Você não faz parte de uma organização' },
  byProvider: { en: 'Sign in with your organization', 'pt-BR': 'Entrar com a conta da organização' },
  unreachable: {
    en: 'The sign-in of your organization does not answer. Wait a minute and try again.',
    'pt-BR': 'O acesso da sua organização não responde. Espere um minuto e tente de novo.',
  },
  failed: { en: 'The sign-in did not work', 'pt-BR': 'Não foi possível entrar' },
  beginAgain: {
    en: 'It took too long, was canceled, or its page was opened twice. Begin again. If that does not help, tell whoever runs this service.',
    'pt-BR':
      'A entrada demorou demais, foi cancelada ou a página foi aberta duas vezes. Comece de novo. Se não adiantar, avise quem administra este serviço.',
  },
  byCertificate: { en: 'Log in with your certificate', 'pt-BR': 'Entrar com o seu certificado' },
  needsScript: {
    en: 'Signing needs JavaScript, which is off in this browser.',
    'pt-BR': 'A assinatura precisa de JavaScript, que está desligado neste navegador.',
  },
  certificateRefused: { en: 'The certificate was not accepted', 'pt-BR': 'O certificado não foi aceito' },
  certificateRefusedWhy: {
    en: 'It has to be a valid e-CPF of yours: not expired, not revoked, and not of a company. If the page was open for long, try again.',
    'pt-BR':
      'Ele precisa ser um e-CPF válido e seu: não vencido, não revogado e não de uma empresa. Se a página ficou aberta por muito tempo, tente de novo.',
  },
  refused: { en: 'You cannot log in right now', 'pt-BR': 'Não é possível entrar agora' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  again: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  loggedIn: { en: 'You are logged in', 'pt-BR': 'Você já entrou' },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
});
