import { html } from 'hono/html';
import type { Markup } from './page.ts';

// Inline SVG, because a font or an image is one more file to fetch. Icons only decorate text beside them.
const icon = (drawing: Markup): Markup =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`;

/** The logo of Sinete: a wax seal with the mark of a signet ring. */
export const seal = html`<svg class="icon seal" viewBox="0 0 24 24" aria-hidden="true"><path class="wax" d="M10.7 1.6Q12 0.7 13.3 1.6Q14.6 2.4 16.1 2.3Q17.6 2.2 18.3 3.6Q19 5 20.4 5.7Q21.8 6.3 21.7 7.9Q21.6 9.4 22.4 10.7Q23.3 12 22.4 13.3Q21.6 14.6 21.7 16.1Q21.8 17.6 20.4 18.3Q19 19 18.3 20.4Q17.6 21.8 16.1 21.7Q14.6 21.6 13.3 22.4Q12 23.3 10.7 22.4Q9.4 21.6 7.9 21.7Q6.4 21.8 5.7 20.4Q5 19 3.6 18.3Q2.2 17.7 2.3 16.1Q2.4 14.6 1.6 13.3Q0.7 12 1.6 10.7Q2.4 9.4 2.3 7.9Q2.2 6.3 3.6 5.7Q5 5 5.7 3.6Q6.3 2.2 7.9 2.3Q9.4 2.4 10.7 1.6z"/><path class="mark" d="M15.2 9.2c-.6-1-1.8-1.6-3.2-1.6-1.8 0-3.1.9-3.1 2.2 0 3 6.4 1.3 6.4 4.4 0 1.4-1.4 2.3-3.3 2.3-1.5 0-2.8-.6-3.4-1.6"/></svg>`;

export const check = icon(html`<path d="M20 6.5 9.5 17.5 4 12"/>`);
export const cross = icon(html`<path d="M6 6l12 12M18 6 6 18"/>`);
export const dash = icon(html`<path d="M6 12h12"/>`);
export const clock = icon(html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`);
export const lock = icon(
  html`<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/>`,
);
export const sheet = icon(html`<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4M9 12h6M9 16h6"/>`);
export const question = icon(
  html`<path d="M8.8 9a3.2 3.2 0 0 1 6.3.8c0 2.1-3.1 2.4-3.1 4.6"/><path d="M12 18v.1"/>`,
);
