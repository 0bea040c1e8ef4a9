import type { Language } from './languages.ts';

// The first formatter of a process takes some 20 ms, which no cold start waits for: each is made when it is needed.
const formatters = new Map<Language, Intl.NumberFormat>();

/** @example formatCount('pt-BR', 12_345) // '12.345' */
export function formatCount(language: Language, count: number): string {
  const formatter = formatters.get(language) ?? new Intl.NumberFormat(language);
  formatters.set(language, formatter);
  return formatter.format(count);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people read it. @example formatSize('pt-BR', 1_234_567) // '1,2 MB' */
export function formatSize(language: Language, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short', // the short form of English has no plural
    maximumFractionDigits: power > 1 ? 1 : 0,
  });
  return number.format(bytes / 1000 ** power);
}
