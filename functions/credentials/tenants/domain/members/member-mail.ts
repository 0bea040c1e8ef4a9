import { senderOf } from '../../../../../shared/mail/settings.ts';
import { logInLinks } from '../../../../../shared/members/log-in-links.ts';
import { memberMailer } from '../../../../../shared/members/member-mail.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { settings } from '../../../settings.ts';
import { sessions } from './sessions.ts';

const mailWords = translations({
  linkTitle: { en: 'Log in to the registrar’s console', 'pt-BR': 'Entrar no painel da secretaria' },
  inviteTitle: {
    en: 'You are invited to work on academic credentials',
    'pt-BR': 'Você foi convidado a trabalhar com credenciais acadêmicas',
  },
  invite: {
    en: (who: string) => `${who} has made you a member: you can work on its degrees and other credentials.`,
    'pt-BR': (who: string) =>
      `${who} incluiu você: agora você pode trabalhar com seus diplomas e outras credenciais.`,
  },
});

export const links = logInLinks('credentials');

/** Sends a member the link. */
export const mailMember = memberMailer({
  service: 'credentials',
  settings,
  words: mailWords,
  sessions,
  links,
  brandingOf: (organization) => ({
    displayName: organization?.name ?? senderOf(settings['Mail:Smtp:From']).name,
    logoUrl: null,
    color: null,
  }),
});
