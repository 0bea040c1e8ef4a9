import type { Branding } from '../brand/branding.ts';
import { deliverMail, type Mailer, type MailOutcome } from '../mail/deliver.ts';
import type { Letter, LetterPart } from '../mail/letter.ts';
import { hasMailServer, MAIL_QUEUE } from '../mail/queue.ts';
import { mailRecords } from '../mail/record.ts';
import type { MailValues } from '../mail/settings.ts';
import { sending } from '../queue/outbox.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Write } from '../store/write.ts';
import type { Language } from '../ui/languages.ts';
import { translations } from '../ui/translations.ts';
import type { LogInLinks } from './log-in-links.ts';
import type { Member } from './member.ts';
import type { MemberMail } from './member-mail-task.ts';
import type { MemberSessions, MembersOrganization } from './sessions.ts';

const mailWords = translations({
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
  inviteButton: { en: 'Begin', 'pt-BR': 'Começar' },
  inviteNote: {
    en: 'The link works once, for seven days. Later you log in with this address, and get another link.',
    'pt-BR': 'O link vale uma vez, por sete dias. Depois você entra com este endereço e recebe outro link.',
  },
});

/** What the mail of a service says of its own work. */
type MemberMailWords = {
  readonly linkTitle: string;
  readonly inviteTitle: string;
  /** @example invite('ACME') // 'ACME has made you a member: …' */
  readonly invite: (organization: string) => string;
};

const MINUTE_MS = 60_000;
const LINK_VALID_MS = 15 * MINUTE_MS;
// Nobody knows when an invitation is read.
const INVITATION_VALID_MS = 7 * 24 * 60 * MINUTE_MS;

// Mail bombing: an address gets one link in a minute, whoever asks for it.
const nameOf = ({ kind, organizationId, requestedAtMs }: MemberMail): string =>
  kind === 'Link'
    ? `Link/${Math.floor(requestedAtMs / MINUTE_MS)}`
    : `Invitation/${organizationId}/${requestedAtMs}`;

const validMsOf = ({ kind }: MemberMail): number => (kind === 'Link' ? LINK_VALID_MS : INVITATION_VALID_MS);

/** The invitation, for the commit that makes somebody a member. None without a mail server. */
export function invitingMember(
  { service, settings }: { readonly service: ServiceName; readonly settings: MailValues },
  organizationId: string,
  { email, invitedAtMs }: Pick<Member, 'email' | 'invitedAtMs'>,
): Write[] {
  if (!hasMailServer(settings)) return [];
  const task: MemberMail = {
    task: 'member',
    kind: 'Invitation',
    email,
    organizationId,
    requestedAtMs: invitedAtMs,
  };
  return [sending({ service, queue: MAIL_QUEUE, body: task, id: `mail:${email}:${nameOf(task)}` })];
}

type MailOptions<Organization extends MembersOrganization> = {
  readonly service: ServiceName;
  readonly settings: MailValues;
  readonly words: (language: Language) => MemberMailWords;
  readonly sessions: Pick<MemberSessions<string, Organization>, 'organizationsOf'>;
  readonly links: Pick<LogInLinks, 'issueLogInLink'>;
  /** Who a message comes from, as people see it: the organization, or the name that mail comes from. */
  readonly brandingOf: (organization: Organization | undefined) => Branding;
};

type Found<Organization> = {
  readonly task: MemberMail;
  readonly member: Pick<Member, 'name' | 'email'>;
  readonly organization: Organization;
};

/** Sends a member the link. @example const mailMember = memberMailer({ service: 'documents', … }); */
export function memberMailer<Organization extends MembersOrganization>(
  options: MailOptions<Organization>,
): (task: MemberMail, now: () => number) => Promise<MailOutcome> {
  const { service, settings, words, sessions, links, brandingOf } = options;
  const memberMail: Mailer<MemberMail, Found<Organization>> = {
    service,
    settings,
    records: mailRecords(service, ({ about, name }) => ({ pk: `MEMBER-MAIL#${about}`, sk: name })),
    idOf: (task) => ({ about: task.email, name: nameOf(task) }),
    async find(task, nowMs) {
      // A mail server that was away for longer gets no link that nobody waits for.
      if (nowMs - task.requestedAtMs > validMsOf(task)) return undefined;
      const known = await sessions.organizationsOf({ kind: 'email', value: task.email });
      const found =
        task.kind === 'Link' ? known[0] : known.find((each) => each.organizationId === task.organizationId);
      return found && { task, member: found.member, organization: found.organization };
    },
    async compose({ task, member, organization }, nowMs): Promise<Letter> {
      const isLink = task.kind === 'Link';
      const branding = brandingOf(isLink ? undefined : organization);
      const partOf = (language: Language): LetterPart => {
        const common = mailWords(language);
        const own = words(language);
        return isLink
          ? {
              title: own.linkTitle,
              paragraphs: [common.link],
              button: common.linkButton,
              notes: [common.linkNote],
            }
          : {
              title: own.inviteTitle,
              paragraphs: [own.invite(branding.displayName)],
              button: common.inviteButton,
              notes: [common.inviteNote],
            };
      };
      const expiresAtMs = nowMs + validMsOf(task);
      const { email, organizationId } = task;
      return {
        to: { name: member.name, address: member.email },
        branding,
        parts: { en: partOf('en'), 'pt-BR': partOf('pt-BR') },
        url: await links.issueLogInLink({ email, organizationId, expiresAtMs }),
      };
    },
  };
  return (task, now) => deliverMail(memberMail, task, now);
}
