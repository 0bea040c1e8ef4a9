import type { Language } from '../../../shared/ui/languages.ts';
import type { Markup } from '../../../shared/ui/page.ts';
import { formatDate as formatCalendarDate, formatTime as formatTimeIn } from '../../../shared/ui/time.ts';
import { timeOf as timeElement } from '../../../shared/ui/time-element.ts';
import { settings } from '../settings.ts';

export { formatCount } from '../../../shared/ui/numbers.ts';

/** A time where payments are made, with its zone. @example formatTime('pt-BR', nowMs) // '31/12/2026, 10:30 GMT-3' */
export const formatTime = (language: Language, ms: number, time: 'short' | 'medium' = 'short'): string =>
  formatTimeIn(language, ms, { time, timeZone: settings['Cnab240:TimeZone'] });

/** The same for a page, where programs read it too. `medium` shows the seconds. */
export const timeOf = (language: Language, ms: number, time: 'short' | 'medium' = 'short'): Markup =>
  timeElement(language, ms, { time, timeZone: settings['Cnab240:TimeZone'] });

/** A payment date. @example formatDate('en', '2026-12-31') // 'Dec 31, 2026' */
export const formatDate = (language: Language, date: string | null): string =>
  date === null ? '—' : formatCalendarDate(language, date);

type Dates = { readonly earliestPaymentDate: string | null; readonly latestPaymentDate: string | null };

/** The days on which a file pays. @example formatDates('en', figures) // 'Dec 1, 2026 – Dec 31, 2026' */
export function formatDates(
  language: Language,
  { earliestPaymentDate: first, latestPaymentDate: last }: Dates,
): string {
  const from = formatDate(language, first);
  return first === last ? from : `${from} – ${formatDate(language, last)}`;
}

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Pades', 'PAdES'],
  ['Cades', 'CAdES'],
  ['Xades', 'XAdES'],
]);

/** A format of signatures as its standard writes it. @example formatName('Pades') // 'PAdES' */
export const formatName = (format: string): string => FORMAT_NAMES.get(format) ?? format;
