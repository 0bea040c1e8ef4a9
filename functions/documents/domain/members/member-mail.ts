import { deliverMail, type Mailer, type MailOutcome } from '../../../../shared/mail/deliver.ts';
import type { Letter, LetterPart } from '../../../../shared/mail/letter.ts';
import { hasMailServer, MAIL_QUEUE } from '../../../../shared/mail/queue.ts';
import { mailRecords } from '../../../../shared/mail/record.ts';
import { sending } from '../../../../shared/queue/outbox.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { settings } from '../../settings.ts';
import { senderBranding } from '../mail/branding.ts';
import type { MemberMail } from '../mail/mail-tasks.ts';
import type { Organization } from '../places/organization.ts';
import { issueLogInLink } from './log-in-links.ts';
import type { Member } from './roster.ts';
import { organizationsOf } from './sessions.ts';

const mailWords = translations({
  linkTitle: { en: 'Log in to your documents', 'pt-BR': 'Entrar nos seus documentos' },
  link: {
    en: 'Somebody, probably you, asked to log in with this address.',
    'pt-BR': 'Alguém, provavelmente você, pediu para entrar com este endereço.',
  },
  linkButton: { en: 'Log in', 'pt-BR': 'Entrar' },
  linkNote: {
    en: 'The link works once, for 15 minutes. If you did not ask for it, ignore this message. Do not pass it on: whoever has it is you.',
    'pt-BR':
      'O link vale uma vez, por 15 minutos. Se você não o pediu, ignore esta mensagem. Não o encaminhe: quem o tem é você.',
  },
  inviteTitle: {
    en: 'You are invited to work on documents',
    'pt-BR': 'Você foi convidado a trabalhar com documentos',
  },
  invite: {
    en: (who: string) => `${who} has made you a member: you can send and follow its documents.`,
    'pt-BR': (who: string) => `${who} incluiu você: agora você pode enviar e acompanhar documentos.`,
  },
  inviteButton: { en: 'Begin', 'pt-BR': 'Começar' },
  inviteNote: {
    en: 'The link works once, for seven days. Later you log in with this address, and get another link.',
    'pt-BR': 'O link vale uma vez, por sete dias. Depois você entra com este endereço e recebe outro link.',
  },
});

const MINUTE_MS = 60_000;
const LINK_VALID_MS = 15 * MINUTE_MS;
// Nobody knows when an invitation is read.
const INVITATION_VALID_MS = 7 * 24 * 60 * MINUTE_MS;

/** Whether people can log in by a link in their mail. */
export const sendsLogInLinks = (): boolean => hasMailServer(settings);

/** The invitation, for the commit that makes somebody a member. None without a mail server. */
export const inviting = (organizationId: string, { email, invitedAtMs }: Member): Write[] => {
  const task: MemberMail = {
    task: 'member',
    kind: 'Invitation',
    email,
    organizationId,
    requestedAtMs: invitedAtMs,
  };
  if (!sendsLogInLinks()) return [];
  return [
    sending({ service: 'documents', queue: MAIL_QUEUE, body: task, id: `mail:${email}:${nameOf(task)}` }),
  ];
};

// Mail bombing: an address gets one link in a minute, whoever asks for it.
const nameOf = ({ kind, organizationId, requestedAtMs }: MemberMail): string =>
  kind === 'Link'
    ? `Link/${Math.floor(requestedAtMs / MINUTE_MS)}`
    : `Invitation/${organizationId}/${requestedAtMs}`;

type Found = { readonly task: MemberMail; readonly member: Member; readonly organization: Organization };

const validMsOf = ({ kind }: MemberMail): number => (kind === 'Link' ? LINK_VALID_MS : INVITATION_VALID_MS);

const memberMail: Mailer<MemberMail, Found> = {
  service: 'documents',
  settings,
  records: mailRecords('documents', ({ about, name }) => ({ pk: `MEMBER-MAIL#${about}`, sk: name })),
  idOf: (task) => ({ about: task.email, name: nameOf(task) }),
  async find(task, nowMs) {
    // A mail server that was away for longer gets no link that nobody waits for.
    if (nowMs - task.requestedAtMs > validMsOf(task)) return undefined;
    const known = await organizationsOf({ kind: 'email', value: task.email });
    const found =
      task.kind === 'Link' ? known[0] : known.find((each) => each.organizationId === task.organizationId);
    return found && { task, member: found.member, organization: found.organization };
  },
  async compose({ task, member, organization }, nowMs): Promise<Letter> {
    const branding = senderBranding(task.kind === 'Link' ? undefined : organization);
    const partOf = (language: Language): LetterPart => {
      const words = mailWords(language);
      return task.kind === 'Link'
        ? {
            title: words.linkTitle,
            paragraphs: [words.link],
            button: words.linkButton,
            notes: [words.linkNote],
          }
        : {
            title: words.inviteTitle,
            paragraphs: [words.invite(branding.displayName)],
            button: words.inviteButton,
            notes: [words.inviteNote],
          };
    };
    const expiresAtMs = nowMs + validMsOf(task);
    return {
      to: { name: member.name, address: member.email },
      branding,
      parts: { en: partOf('en'), 'pt-BR': partOf('pt-BR') },
      url: await issueLogInLink({ email: task.email, organizationId: task.organizationId, expiresAtMs }),
    };
  },
};

/** Sends a member the link. */
export const mailMember = (task: MemberMail, now: () => number): Promise<MailOutcome> =>
  deliverMail(memberMail, task, now);
