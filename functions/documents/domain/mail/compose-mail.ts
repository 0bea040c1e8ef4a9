import type { Letter, LetterPart } from '../../../../shared/mail/letter.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { formatTime } from '../../../../shared/ui/time.ts';
import { actionPageOf, issueTicket } from '../document/action-link.ts';
import type { Document } from '../document/document.ts';
import { issueDownloadLink } from '../downloads/download-tickets.ts';
import { unprovenDoers } from '../flow/certificate-holder.ts';
import { kindOf, refusalsOf } from '../flow/flow.ts';
import type { Organization } from '../places/organization.ts';
import { preferencesOf } from '../places/preferences.ts';
import { mailLanguageOf, senderBranding } from './branding.ts';
import { mailWords } from './mail-words.ts';
import type { Recipient } from './recipients.ts';

const DAY_MS = 86_400_000;

/** How long the link of a mail opens its document. Nobody knows when mail is read. */
const LINK_VALID_MS = 90 * DAY_MS;
/** How long somebody without a part in the flow can fetch the file by it. */
const DOWNLOAD_VALID_MS = 30 * DAY_MS;

/** The message to one person, with a new link of theirs. It has the document's name, and nothing of its content. */
export async function composeMail(recipient: Recipient, nowMs: number): Promise<Letter> {
  const { document, location, name, address } = recipient;
  const url = await linkOf(recipient, nowMs);
  const branding = senderBranding(location.organization);
  const { mailSentence } = preferencesOf(location.organization);
  const partOf = (language: Language): LetterPart => {
    const { title, paragraph, button } = textsOf(recipient, branding.displayName, language);
    const words = mailWords(language);
    return {
      title,
      paragraphs: [paragraph, ...(mailSentence ? [mailSentence] : [])],
      facts: recipient.isSender
        ? senderFacts(recipient, language)
        : factsOf(document, recipient.task.task === 'call', language),
      button,
      notes:
        url === undefined || recipient.isSender
          ? []
          : [words.personal, ...(isCoded(location.organization) ? [words.withCode] : [])],
    };
  };
  return {
    to: { name, address },
    branding,
    topic: document.name,
    parts: { en: partOf('en'), 'pt-BR': partOf('pt-BR') },
    language: languageOf(recipient),
    url,
  };
}

/** A document's own language is that of its people, who may be abroad. */
const languageOf = (recipient: Recipient): Language | undefined =>
  recipient.isSender
    ? (preferencesOf(recipient.location.organization).language ?? undefined)
    : mailLanguageOf(recipient);

const isCoded = (organization: Organization | undefined): boolean =>
  organization?.mail?.requiresCode === true;

/** A sender's link to the console, a participant's to the page, or an observer's to the concluded file. */
async function linkOf(recipient: Recipient, nowMs: number) {
  const { document, location, assignment, task, isSender } = recipient;
  if (isSender)
    return `${commonSettings['Http:PublicUrl']}/documents/console/documents/${encodeURIComponent(document.id)}`;
  if (assignment) {
    const ticket = await issueTicket(document, assignment, nowMs, { validMs: LINK_VALID_MS });
    return actionPageOf(document, ticket, mailLanguageOf(recipient)).url;
  }
  // A file by a link asks for no code.
  if (task.task !== 'end' || task.ending !== 'Concluded' || isCoded(location.organization)) return undefined;
  const type = document.signed ? 'Signatures' : 'Original';
  const path = await issueDownloadLink(document, type, nowMs, { validMs: DOWNLOAD_VALID_MS });
  return `${commonSettings['Http:PublicUrl']}/documents${path}`;
}

type Texts = { readonly title: string; readonly paragraph: string; readonly button: string };

function textsOf(recipient: Recipient, who: string, language: Language): Texts {
  const { task, assignment, document, isSender } = recipient;
  const words = mailWords(language);
  if (task.task === 'undelivered')
    return { title: words.undeliveredTitle, paragraph: words.undelivered, button: words.see };
  if (task.task === 'end' && isSender)
    return { title: words[`${task.ending}Title`], paragraph: words[`own${task.ending}`], button: words.see };
  if (task.task === 'end') {
    const concluded = document.signed ? words.fetchSigned : words.fetch;
    return {
      title: words[`${task.ending}Title`],
      paragraph: words[task.ending](who),
      button: task.ending === 'Concluded' ? concluded : words.see,
    };
  }
  const isSignature = assignment === undefined || kindOf(assignment.action) === 'signature';
  const button = isSignature ? words.sign : words.approve;
  if (task.kind === 'Invitation')
    return {
      title: isSignature ? words.signTitle : words.approveTitle,
      paragraph: isSignature ? words.signRequest(who) : words.approveRequest(who),
      button,
    };
  return {
    title: isSignature ? words.signReminderTitle : words.approveReminderTitle,
    paragraph: isSignature ? words.signReminder(who) : words.approveReminder(who),
    button,
  };
}

/** What a sender is to know. Reasons are not among it: anybody may have written them. */
function senderFacts({ document, task, assignment }: Recipient, language: Language): [string, string][] {
  const words = mailWords(language);
  const refusal = document.flow.flatMap(refusalsOf).at(-1);
  return [
    [words.document, document.name],
    ...(task.task === 'undelivered' && assignment
      ? [[words.addressee, `${assignment.person.name} <${assignment.person.emailAddress}>`] satisfies Fact]
      : []),
    ...(task.task === 'end' && task.ending === 'Refused' && refusal
      ? [[words.refusedBy, refusal.by.name] satisfies Fact]
      : []),
    ...(task.task === 'end' && task.ending === 'Concluded'
      ? unprovenDoers(document.flow).map(
          ({ name, namedAs }): Fact => [namedAs, words.withCertificateOf(name)],
        )
      : []),
  ];
}

type Fact = [string, string];

function factsOf(
  { name, expiresAtMs }: Document,
  hasDeadline: boolean,
  language: Language,
): [string, string][] {
  const words = mailWords(language);
  return [
    [words.document, name],
    ...(hasDeadline && expiresAtMs !== null
      ? [[words.until, formatTime(language, expiresAtMs)] satisfies [string, string]]
      : []),
  ];
}
