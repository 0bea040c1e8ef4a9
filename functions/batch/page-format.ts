import { html } from 'hono/html';
import type { Language } from '../../shared/ui/languages.ts';
import type { Markup } from '../../shared/ui/page.ts';
import { settings } from './settings.ts';

// Days by number are read one way in Brazil, and two ways in English.
const DATE_STYLE = { en: 'medium', 'pt-BR': 'short' } as const;

// Making a formatter takes longer than a row of a list: each is made once.
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(
  language: Language,
  timeZone: string,
  timeStyle?: 'short' | 'medium',
): Intl.DateTimeFormat {
  const name = `${language} ${timeZone} ${timeStyle}`;
  const options = { dateStyle: DATE_STYLE[language], timeZone, ...(timeStyle && { timeStyle }) };
  const made = formatters.get(name) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(name, made);
  return made;
}
const COUNTS = { en: new Intl.NumberFormat('en'), 'pt-BR': new Intl.NumberFormat('pt-BR') } as const;

/** A time where payments are made. @example formatTime('pt-BR', nowMs) // '31/12/2026, 10:30' */
export const formatTime = (language: Language, ms: number, style: 'short' | 'medium' = 'short'): string =>
  formatter(language, settings['Cnab240:TimeZone'], style).format(ms);

/** The same for a page, where programs read it too. `medium` shows the seconds. */
export const timeOf = (language: Language, ms: number, style: 'short' | 'medium' = 'short'): Markup =>
  html`<time datetime="${new Date(ms).toISOString()}">${formatTime(language, ms, style)}</time>`;

/** A payment date. @example formatDate('en', '2026-12-31') // 'Dec 31, 2026' */
export const formatDate = (language: Language, date: string | null): string =>
  date === null ? '—' : formatter(language, 'UTC').format(new Date(date));

type Dates = { readonly earliestPaymentDate: string | null; readonly latestPaymentDate: string | null };

/** The days on which a file pays. @example formatDates('en', figures) // 'Dec 1, 2026 – Dec 31, 2026' */
export function formatDates(
  language: Language,
  { earliestPaymentDate: first, latestPaymentDate: last }: Dates,
): string {
  const from = formatDate(language, first);
  return first === last ? from : `${from} – ${formatDate(language, last)}`;
}

/** @example formatCount('pt-BR', 12_345) // '12.345' */
export const formatCount = (language: Language, count: number): string => COUNTS[language].format(count);
