import { logInLinks } from '../../../../shared/members/log-in-links.ts';
import { memberMailer } from '../../../../shared/members/member-mail.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { settings } from '../../settings.ts';
import { sessions } from '../members/sessions.ts';
import { senderBranding } from './branding.ts';

const mailWords = translations({
  linkTitle: { en: 'Log in to your documents', 'pt-BR': 'Entrar nos seus documentos' },
  inviteTitle: {
    en: 'You are invited to work on documents',
    'pt-BR': 'Você foi convidado a trabalhar com documentos',
  },
  invite: {
    en: (who: string) => `${who} has made you a member: you can log in and follow its documents.`,
    'pt-BR': (who: string) => `${who} incluiu você: agora você pode entrar e acompanhar os documentos.`,
  },
});

export const links = logInLinks('documents');

/** Sends a member the link. */
export const mailMember = memberMailer({
  service: 'documents',
  settings,
  words: mailWords,
  sessions,
  links,
  brandingOf: senderBranding,
});
