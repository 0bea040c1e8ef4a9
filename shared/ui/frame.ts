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
  /** Whether that address takes a form, which stores the choice, and not a link. */
  readonly isForm?: boolean;
  /** The address of a logo beside the name: of the customer who runs the service. */
  readonly logo?: string | undefined;
};

/**
 * Renders the frame of a page: the name Sinete and the choice of languages above the body.
 * @example renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` })
 */
export const renderFrame = ({
  language,
  body,
  inLanguage,
  isForm = false,
  logo,
}: FrameOptions): Markup => html`<header class="masthead">
<p class="brand">${seal} Sinete${logo === undefined ? '' : html` <img class="logo" src="${logo}" alt="">`}</p>
<nav aria-label="${frameWords(language).languages}">
<ul class="languages">${LANGUAGES.map(
  (each) =>
    html`<li>${
      each === language
        ? html`<span lang="${each}" aria-current="true">${NAMES[each]}</span>`
        : isForm
          ? html`<form method="post" action="${inLanguage(each)}"><button class="link" lang="${each}">${NAMES[each]}</button></form>`
          : html`<a lang="${each}" hreflang="${each}" href="${inLanguage(each)}">${NAMES[each]}</a>`
    }</li>`,
)}</ul>
</nav>
</header>
${body}`;
