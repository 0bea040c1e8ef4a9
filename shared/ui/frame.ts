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
  /** The address of the same page in another language. */
  readonly inLanguage: (language: Language) => string;
};

/**
 * Renders the frame of a page: the name Sinete and the choice of languages above the body.
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
