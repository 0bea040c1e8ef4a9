import { html } from 'hono/html';
import { seal } from './icons.ts';
import { LANGUAGES, type Language } from './languages.ts';
import type { Markup } from './page.ts';
import { translations } from './translations.ts';

const frameWords = translations({
  languages: { en: 'Language', 'pt-BR': 'Idioma' },
});

const NAMES: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

type FrameOptions = {
  readonly language: Language;
  readonly body: Markup;
  /** Where the same page is in another language. */
  readonly inLanguage: (language: Language) => string;
};

/**
 * What stands around a page: the house's name above it, and the languages it can be read in.
 * @example renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` })
 */
export const renderFrame = ({
  language,
  body,
  inLanguage,
}: FrameOptions): Markup => html`<header class="masthead">
<p class="brand">${seal} Sinete</p>
<nav aria-label="${frameWords(language).languages}">
<ul class="languages">${LANGUAGES.map(
  (each) =>
    html`<li>${
      each === language
        ? html`<span lang="${each}" aria-current="true">${NAMES[each]}</span>`
        : html`<a lang="${each}" hreflang="${each}" href="${inLanguage(each)}">${NAMES[each]}</a>`
    }</li>`,
)}</ul>
</nav>
</header>
${body}`;
