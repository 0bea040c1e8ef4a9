import type { Language } from './languages.ts';

// The first formatter of a process takes some 20 ms, which no cold start waits for: each is made when it is needed.
const formatters = new Map<Language, Intl.NumberFormat>();

/** @example formatCount('pt-BR', 12_345) // '12.345' */
export function formatCount(language: Language, count: number): string {
  const formatter = formatters.get(language) ?? new Intl.NumberFormat(language);
  formatters.set(language, formatter);
  return formatter.format(count);
}
