import { html } from 'hono/html';
import type { Language } from './languages.ts';
import type { Markup } from './page.ts';
import { formatTime, type TimeFormat } from './time.ts';

/** A time as an element, whose attribute is for programs. @example timeOf('en', nowMs) */
export const timeOf = (language: Language, ms: number, format?: TimeFormat): Markup =>
  html`<time datetime="${new Date(ms).toISOString()}">${formatTime(language, ms, format)}</time>`;
