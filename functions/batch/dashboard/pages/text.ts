import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';

/** A text that somebody gave. Marks of direction in it do not turn the text around it. */
export const givenText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** A sentence as the service recorded it, in English. Screen readers read it as that. */
export const recordedText = (text: string): Markup => html`<bdi lang="en">${text}</bdi>`;
