import { html } from 'hono/html';
import { seal } from './icons.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './languages.ts';
import type { Markup } from './page.ts';
import { translations } from './translations.ts';

const frameWords = translations({
  languages: { en: 'Language', 'pt-BR': 'Idioma' },
  skip: { en: 'Skip to the content', 'pt-BR': 'Ir para o conteúdo' },
});

const CONTENT_ID = 'page-content';

type FrameOptions = {
  readonly language: Language;
  readonly body: Markup;
  /** The navigation of the service, which the skip link leads past. */
  readonly navigation?: Markup | '';
  /** The address of the same page in another language. */
  readonly inLanguage: (language: Language) => string;
  /** Whether that address takes a form, which stores the choice, and not a link. */
  readonly isForm?: boolean;
  /** The address of a logo beside the name: of the customer who runs the service, or of who asks. */
  readonly logo?: string | undefined;
  /** The name of who asks, beside that. */
  readonly customer?: string | undefined;
};

/**
 * Renders the frame of a page: the name Sinete, the choice of languages and the navigation above the body. Its first
 * link leads past all of them.
 * @example renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` })
 */
export const renderFrame = ({
  language,
  body,
  navigation = '',
  inLanguage,
  isForm = false,
  logo,
  customer,
}: FrameOptions): Markup => html`<a class="skip" href="#${CONTENT_ID}">${frameWords(language).skip}</a>
<header class="masthead">
<p class="brand"><span>${seal} Sinete</span>${logo === undefined ? '' : html` <img class="logo" src="${logo}" alt="">`}${customer === undefined ? '' : html` <span class="customer">${customer}</span>`}</p>
<nav aria-label="${frameWords(language).languages}">
<ul class="languages">${LANGUAGES.map(
  (each) =>
    html`<li>${
      each === language
        ? html`<span lang="${each}" aria-current="true">${LANGUAGE_NAMES[each]}</span>`
        : isForm
          ? html`<form method="post" action="${inLanguage(each)}"><button class="link" lang="${each}">${LANGUAGE_NAMES[each]}</button></form>`
          : html`<a lang="${each}" hreflang="${each}" href="${inLanguage(each)}">${LANGUAGE_NAMES[each]}</a>`
    }</li>`,
)}</ul>
</nav>
</header>
${navigation}<div id="${CONTENT_ID}" tabindex="-1"></div>
${body}`;
