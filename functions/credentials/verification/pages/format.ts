import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';

// Academic dates are those of the institutions.
const OPTIONS = { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Sao_Paulo' } as const;
const FORMATS = {
  en: new Intl.DateTimeFormat('en', OPTIONS),
  'pt-BR': new Intl.DateTimeFormat('pt-BR', OPTIONS),
} as const;

/** A time in Brasília, for people and for programs. */
export const timeOf = (language: Language, ms: number): Markup =>
  html`<time datetime="${new Date(ms).toISOString()}">${FORMATS[language].format(ms)}</time>`;
