import type { Login } from '../../../shared/console/login/login.ts';
import { certificateLogIn } from '../../../shared/members/certificate-log-in.ts';
import { sandboxAccess } from '../../../shared/settings/sandbox.ts';
import { translations } from '../../../shared/ui/translations.ts';
import { settings } from '../settings.ts';
import { links } from '../tenants/domain/members/member-mail.ts';
import { memberRoster, sessions } from '../tenants/domain/members/sessions.ts';
import { refusalText } from './pages/refusals.ts';

const loginWords = translations({
  service: { en: 'Academic credentials', 'pt-BR': 'Credenciais acadêmicas' },
  noWay: {
    en: 'This deployment has no way to log in yet. Whoever runs it sets up mail, an identity provider or certificates: docs/registrar.md says how.',
    'pt-BR':
      'Esta instalação ainda não tem um modo de entrar. Quem a administra configura e-mail, provedor de identidade ou certificados: docs/registrar.md diz como.',
  },
  sandbox: {
    en: 'Log in as the administrator of the sandbox',
    'pt-BR': 'Entrar como administrador do sandbox',
  },
  nothingArrived: {
    en: 'Nothing arrived? Look into the spam folder, wait a minute and ask again. If you are no member yet, an administrator of your organization invites you.',
    'pt-BR':
      'Não chegou nada? Veja a caixa de spam, espere um minuto e peça de novo. Se você ainda não faz parte da organização, um administrador dela convida você.',
  },
  noMemberWhy: {
    en: 'Ask an administrator of your organization to invite you, then log in again.',
    'pt-BR': 'Peça a um administrador da sua organização que convide você e entre de novo.',
  },
});

/** The log-in of the members of universities. */
export const login: Login = {
  service: 'credentials',
  settings,
  words: loginWords,
  refusalText,
  sessions,
  links,
  certificates: certificateLogIn(settings),
  sandbox: {
    organizationId: () => sandboxAccess().universityId,
    findOwner: async (organizationId) =>
      (await memberRoster.readMembers(organizationId)).find(({ role }) => role === 'Administrador'),
  },
};
