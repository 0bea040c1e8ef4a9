import type { Language } from './languages.ts';

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
