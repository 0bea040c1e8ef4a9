import { html } from 'hono/html';
import type { Markup } from '../../../../shared/ui/page.ts';
import { formatTimesIn } from '../../../../shared/ui/time.ts';
import { settings } from '../../settings.ts';

/** A text that somebody gave. Marks of direction in it do not turn the text around it. */
export const givenText = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** A sentence as the service recorded it, in English, with its times in the zone of the pages. Screen readers read it as English. */
export const recordedText = (text: string): Markup =>
  html`<bdi lang="en">${formatTimesIn('en', text, settings['Cnab240:TimeZone'])}</bdi>`;
