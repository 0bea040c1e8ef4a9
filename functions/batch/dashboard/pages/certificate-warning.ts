import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { formatCount, formatTime } from '../../config/page-format.ts';
import { type CertificateNotice, certificateNoticeOf } from '../../profiles/domain/certificate-notice.ts';
import { badge } from './parts.ts';

const warningWords = translations({
  expired: {
    en: (end: string) =>
      `Its certificate expired on ${end}: what it signs is not valid. Import the key of a new certificate.`,
    'pt-BR': (end: string) =>
      `O certificado venceu em ${end}: o que ele assina não é válido. Importe a chave de um novo certificado.`,
  },
  'not-yet-valid': {
    en: (_end: string, begin: string) =>
      `Its certificate is not valid before ${begin}. Wait, or import the key of another certificate.`,
    'pt-BR': (_end: string, begin: string) =>
      `O certificado só vale a partir de ${begin}. Espere ou importe a chave de outro certificado.`,
  },
  'expires-soon': {
    en: (end: string) =>
      `Its certificate expires on ${end}. Get a new one, and import its key before that day.`,
    'pt-BR': (end: string) =>
      `O certificado vence em ${end}. Obtenha um novo e importe a chave dele antes desse dia.`,
  },
  expiredBadge: { en: 'Certificate expired', 'pt-BR': 'Certificado vencido' },
  notYetBadge: { en: 'Certificate not valid yet', 'pt-BR': 'Certificado ainda não vale' },
  soonBadge: {
    en: (days: string, isOne: boolean) => `Expires in ${days} ${isOne ? 'day' : 'days'}`,
    'pt-BR': (days: string, isOne: boolean) => `Vence em ${days} ${isOne ? 'dia' : 'dias'}`,
  },
});

type ShownProfile = Parameters<typeof certificateNoticeOf>[0] & {
  readonly certificate: { readonly notBefore: string; readonly notAfter: string } | null;
};

/** What is to be told of the certificate of a profile, now. */
export function noticeOf(profile: ShownProfile, nowMs: number): CertificateNotice | undefined {
  const { certificate } = profile;
  const period = certificate && {
    notBeforeMs: Date.parse(certificate.notBefore),
    notAfterMs: Date.parse(certificate.notAfter),
  };
  return certificateNoticeOf(profile, period ?? undefined, nowMs);
}

/** The same in a sentence: what is so, and what to do. */
export const noticeText = (
  language: Language,
  { problem, notBeforeMs, notAfterMs }: CertificateNotice,
): string =>
  warningWords(language)[problem](formatTime(language, notAfterMs), formatTime(language, notBeforeMs));

/** The same in a word and a colour. */
export function noticeBadge(language: Language, { problem, daysLeft }: CertificateNotice): Markup {
  const words = warningWords(language);
  if (problem === 'expired') return badge(words.expiredBadge, 'bad');
  if (problem === 'not-yet-valid') return badge(words.notYetBadge, 'bad');
  return badge(words.soonBadge(formatCount(language, daysLeft), daysLeft === 1), 'warn');
}

/** The same as a box on the page of a profile; `done` is what a form has just done. */
export const noticeBox = (language: Language, notice: CertificateNotice, done = ''): Markup =>
  html`<p class="${notice.problem === 'expires-soon' ? 'warning' : 'problem'}" role="status">${done} ${noticeText(language, notice)}</p>`;
