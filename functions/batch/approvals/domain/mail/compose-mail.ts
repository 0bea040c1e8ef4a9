import type { Branding } from '../../../../../shared/brand/branding.ts';
import type { Letter, LetterPart } from '../../../../../shared/mail/letter.ts';
import { senderOf } from '../../../../../shared/mail/settings.ts';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatDate, formatTime } from '../../../../../shared/ui/time.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { hasIdentityProvider } from '../../../auth/domain/provider-login.ts';
import { type Approver, expiryOf, type JobApproval } from '../../../jobs/domain/job/approval.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { settings } from '../../../settings.ts';
import { portalLinkOf } from '../portal-link.ts';

const mailWords = translations({
  title: { en: 'Approve payments', 'pt-BR': 'Aprovar pagamentos' },
  request: {
    en: (who: string, host: string) =>
      `${who}, by the signing service at ${host}, asks for your decision on a file of payments. It is signed only when enough people have approved it.`,
    'pt-BR': (who: string, host: string) =>
      `${who}, pelo serviço de assinatura em ${host}, pede a sua decisão sobre um arquivo de pagamentos. O arquivo só será assinado quando um número suficiente de pessoas o aprovar.`,
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
});

export type WaitingJob = Pick<Job, 'id' | 'fileName' | 'cnab240'> & { readonly approval: JobApproval };
type Link = { readonly url: string; readonly isPersonal: boolean };

/**
 * The message that tells somebody of a job that waits for their decision. It has the figures of the file, and neither the
 * file nor a payee.
 */
export function composeMail(job: WaitingJob, { name, email }: Approver): Letter {
  const address = addressOf(email);
  const link = linkOf(address, job.id);
  const branding = brandingOf();
  const partOf = (language: Language): LetterPart => {
    const words = mailWords(language);
    const { host } = new URL(commonSettings['Http:PublicUrl']);
    return {
      title: words.title,
      paragraphs: [words.request(branding.displayName, host)],
      facts: factsOf(job, language),
      button: words.open,
      notes: link ? (link.isPersonal ? [words.personal] : []) : [words.noLink],
    };
  };
  return {
    to: { name, address },
    branding,
    topic: job.fileName,
    parts: { en: partOf('en'), 'pt-BR': partOf('pt-BR') },
    url: link?.url,
  };
}

/** The operator's name, as mail comes from it, and logo. */
const brandingOf = (): Branding => ({
  displayName: senderOf(settings['Mail:Smtp:From']).name,
  logoUrl:
    settings['Branding:CustomerLogo'] === ''
      ? null
      : `${commonSettings['Http:PublicUrl']}/batch/branding/customer-logo`,
  color: null,
});

function factsOf({ cnab240, approval, fileName }: WaitingJob, language: Language): [string, string][] {
  const words = mailWords(language);
  const { earliestPaymentDate: first, latestPaymentDate: last } = cnab240 ?? {};
  const expiresAtMs = expiryOf(approval);
  const dates =
    first && last
      ? first === last
        ? formatDate(language, first)
        : words.between(formatDate(language, first), formatDate(language, last))
      : words.noDates;
  return [
    [words.file, fileName],
    [words.total, cnab240?.totalFormatted ?? ''],
    [words.payments, String(cnab240?.paymentCount ?? 0)],
    [words.dates, dates],
    [words.until, expiresAtMs === null ? words.noLimit : timeOf(expiresAtMs, language)],
  ];
}

const timeOf = (ms: number, language: Language): string =>
  formatTime(language, ms, { timeZone: settings['Cnab240:TimeZone'] });

/** Where this person sees the file and decides: by a link of theirs, or by signing in. */
function linkOf(address: string, jobId: string): Link | undefined {
  const personal = portalLinkOf(address, jobId);
  if (personal !== undefined) return { url: personal, isPersonal: true };
  if (!hasIdentityProvider()) return undefined;
  return { url: `${commonSettings['Http:PublicUrl']}/batch/approvals/jobs/${jobId}`, isPersonal: false };
}
