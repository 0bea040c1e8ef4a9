import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { Mail } from '../../../../../shared/mail/smtp.ts';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { hasIdentityProvider } from '../../../auth/domain/provider-login.ts';
import { type Approver, expiryOf, type JobApproval } from '../../../jobs/domain/job/approval.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { settings } from '../../../settings.ts';
import { portalLinkOf } from '../portal-link.ts';

const mailWords = translations({
  subject: { en: 'Approve payments', 'pt-BR': 'Aprovar pagamentos' },
  greeting: { en: (name: string) => `Hello ${name},`, 'pt-BR': (name: string) => `Olá, ${name}.` },
  request: {
    en: (host: string) =>
      `Sinete, the signing service at ${host}, asks for your decision on a file of payments. It is signed only when enough people have approved it.`,
    'pt-BR': (host: string) =>
      `O Sinete, serviço de assinatura em ${host}, pede a sua decisão sobre um arquivo de pagamentos. O arquivo só será assinado quando um número suficiente de pessoas o aprovar.`,
  },
  file: { en: 'File', 'pt-BR': 'Arquivo' },
  total: { en: 'Total', 'pt-BR': 'Total' },
  payments: { en: 'Payments', 'pt-BR': 'Pagamentos' },
  dates: { en: 'Payment dates', 'pt-BR': 'Datas de pagamento' },
  until: { en: 'Decide until', 'pt-BR': 'Decidir até' },
  noDates: { en: 'none in the file', 'pt-BR': 'nenhuma no arquivo' },
  noLimit: { en: 'no time limit', 'pt-BR': 'sem prazo' },
  between: {
    en: (first: string, last: string) => `${first} to ${last}`,
    'pt-BR': (first: string, last: string) => `${first} a ${last}`,
  },
  open: { en: 'See the payments and decide', 'pt-BR': 'Ver os pagamentos e decidir' },
  personal: {
    en: 'This link is yours alone: do not pass it on. Whoever has it decides in your name.',
    'pt-BR': 'Este link é só seu: não o encaminhe. Quem o tiver decide em seu nome.',
  },
  noLink: {
    en: 'Decide in the approval portal. Its operator gives you the link.',
    'pt-BR': 'Decida no portal de aprovações. O operador fornece o link.',
  },
  notAnswered: {
    en: 'This message was sent by a program. Answers are not read.',
    'pt-BR': 'Esta mensagem foi enviada por um programa. Respostas não são lidas.',
  },
});

type WaitingJob = Pick<Job, 'id' | 'fileName' | 'cnab240'> & { readonly approval: JobApproval };
type Link = { readonly url: string; readonly isPersonal: boolean };

/**
 * The message that tells somebody of a job that waits for their decision. Their language is not known: Portuguese first,
 * English below. It has the figures of the file, and neither the file nor a payee.
 */
export async function composeMail(job: WaitingJob, { name, email }: Approver): Promise<Mail> {
  const address = addressOf(email);
  const fileName = plain(job.fileName);
  const person = plain(name);
  const link = linkOf(address);
  const parts = (['pt-BR', 'en'] as const).map((language) => ({
    language,
    words: mailWords(language),
    facts: factsOf(job, fileName, language),
  }));
  const { host } = new URL(commonSettings['Http:PublicUrl']);
  const subject = parts.map(({ words }) => words.subject).join(' / ');
  const textOf = ({ words, facts }: (typeof parts)[number]): string =>
    [
      words.greeting(person),
      words.request(host),
      facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
      link ? `${words.open}: ${link.url}` : words.noLink,
      ...(link?.isPersonal ? [words.personal] : []),
      words.notAnswered,
    ].join('\n\n');
  const htmlOf = ({ language, words, facts }: (typeof parts)[number]) => html`<div lang="${language}">
<p>${words.greeting(person)}</p>
<p>${words.request(host)}</p>
<table cellpadding="4">${facts.map(([label, value]) => html`<tr><th scope="row" align="left">${label}</th><td>${value}</td></tr>`)}</table>
<p>${link ? html`<a href="${link.url}"><strong>${words.open}</strong></a>` : words.noLink}</p>
${link?.isPersonal ? html`<p>${words.personal}</p>` : ''}
<p><small>${words.notAnswered}</small></p>
</div>`;
  const body =
    await html`<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>${subject}</title></head>
<body>${parts.map(htmlOf)}</body></html>`;
  return {
    from: settings['Mail:Smtp:From'],
    to: { name: person, address },
    subject: `${subject}: ${fileName}`,
    text: parts.map(textOf).join('\n\n----\n\n'),
    html: String(body),
    messageId: messageIdOf(job.id, address),
  };
}

// Header injection: file names and names of people come from outside. CR LF would end a header, and marks of direction
// would show a name that is another one. nodemailer encodes headers too.
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function factsOf(
  { cnab240, approval }: WaitingJob,
  fileName: string,
  language: Language,
): [string, string][] {
  const words = mailWords(language);
  const { earliestPaymentDate: first, latestPaymentDate: last } = cnab240 ?? {};
  const expiresAtMs = expiryOf(approval);
  const dates =
    first && last
      ? first === last
        ? dayOf(first, language)
        : words.between(dayOf(first, language), dayOf(last, language))
      : words.noDates;
  return [
    [words.file, fileName],
    [words.total, cnab240?.totalFormatted ?? ''],
    [words.payments, String(cnab240?.paymentCount ?? 0)],
    [words.dates, dates],
    [words.until, expiresAtMs === null ? words.noLimit : timeOf(expiresAtMs, language)],
  ];
}

const dayOf = (isoDate: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(isoDate));

const timeOf = (ms: number, language: Language): string =>
  formatTime(language, ms, { timeZone: settings['Cnab240:TimeZone'] });

/** Where this person sees the file and decides: by a link of theirs, or by signing in. */
function linkOf(address: string): Link | undefined {
  const personal = portalLinkOf(address);
  if (personal !== undefined) return { url: personal, isPersonal: true };
  if (!hasIdentityProvider()) return undefined;
  return { url: `${commonSettings['Http:PublicUrl']}/batch/approvals`, isPersonal: false };
}

/** The same for every attempt, so that a mail reader shows one message of those that it gets twice. */
function messageIdOf(jobId: string, address: string): string {
  const code = createHash('sha256').update(`${jobId}:${address}`).digest('hex').slice(0, 32);
  const [, domain = 'localhost'] = /@([^\s<>@]+)>?$/.exec(settings['Mail:Smtp:From']) ?? [];
  return `<${code}@${domain}>`;
}
