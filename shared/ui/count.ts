import type { Language } from './languages.ts';

const COUNTS = { en: new Intl.NumberFormat('en'), 'pt-BR': new Intl.NumberFormat('pt-BR') } as const;

/** @example formatCount('pt-BR', 12_345) // '12.345' */
export const formatCount = (language: Language, count: number): string => COUNTS[language].format(count);
