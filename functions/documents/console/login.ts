import type { Login } from '../../../shared/console/login/login.ts';
import { certificateLogIn } from '../../../shared/members/certificate-log-in.ts';
import { sandboxAccess } from '../../../shared/settings/sandbox.ts';
import { translations } from '../../../shared/ui/translations.ts';
import { links } from '../domain/mail/member-mail.ts';
import { readMembers } from '../domain/members/roster.ts';
import { sessions } from '../domain/members/sessions.ts';
import { settings } from '../settings.ts';
import { refusalText } from './pages/refusals.ts';

const loginWords = translations({
  service: { en: 'Documents', 'pt-BR': 'Documentos' },
  noWay: {
    en: 'This deployment has no way to log in yet. Whoever runs it sets up mail, an identity provider or certificates: docs/console.md says how.',
    'pt-BR':
      'Esta instalação ainda não tem um modo de entrar. Quem a administra configura e-mail, provedor de identidade ou certificados: docs/console.md diz como.',
  },
  sandbox: { en: 'Log in as the owner of the sandbox', 'pt-BR': 'Entrar como proprietário do sandbox' },
  nothingArrived: {
    en: 'Nothing arrived? Look into the spam folder, wait a minute and ask again. If you are no member yet, an owner of your organization invites you.',
    'pt-BR':
      'Não chegou nada? Veja a caixa de spam, espere um minuto e peça de novo. Se você ainda não faz parte da organização, um proprietário dela convida você.',
  },
  noMemberWhy: {
    en: 'Ask an owner of your organization to invite you, then log in again.',
    'pt-BR': 'Peça a um proprietário da sua organização que convide você e entre de novo.',
  },
});

/** The log-in of the members of organizations. */
export const login: Login = {
  service: 'documents',
  settings,
  words: loginWords,
  refusalText,
  sessions,
  links,
  certificates: certificateLogIn(settings),
  sandbox: {
    organizationId: () => sandboxAccess().organizationId,
    findOwner: async (organizationId) =>
      (await readMembers(organizationId)).find(({ role }) => role === 'Owner'),
  },
};
