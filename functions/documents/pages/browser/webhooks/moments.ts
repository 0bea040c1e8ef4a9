import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A moment as a reader's clock shows it, with how far away it is. */
export function moment(date: string, language: Language, nowMs = Date.now()): HTMLTimeElement {
  const atMs = Date.parse(date);
  const shown = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' }).format(atMs);
  const whole = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }).format(atMs);
  return element(
    'time',
    { dateTime: date, title: whole },
    shown,
    ' ',
    element('small', {}, `(${distance(atMs - nowMs, language)})`),
  );
}

function distance(ms: number, language: Language): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1_000];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(ms / size), unit);
}

/** How long an attempt took. */
export function took(ms: number, language: Language): string {
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(Number(value));
}
