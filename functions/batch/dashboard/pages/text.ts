import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { formatTimesIn } from '../../../../shared/ui/time.ts';
import { type Sentence, textIn } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';

export { givenText } from '../../../../shared/ui/parts.ts';

/**
 * A recorded sentence in the language of the page, with its times in the zone of the pages. A text that came from
 * elsewhere is as it came, in English, and screen readers read it so.
 */
export const recordedText = (language: Language, sentence: Sentence): Markup =>
  typeof sentence === 'string'
    ? html`<bdi lang="en">${formatTimesIn('en', sentence, settings['Cnab240:TimeZone'])}</bdi>`
    : html`<bdi>${formatTimesIn(language, textIn(language, sentence), settings['Cnab240:TimeZone'])}</bdi>`;
