import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';

const keptWords = translations({
  back: { en: 'To the home page', 'pt-BR': 'Para a página inicial' },
  forPrograms: {
    en: 'A program that asks this address for JSON gets the same as JSON.',
    'pt-BR': 'Um programa que pede JSON a este endereço recebe o mesmo em JSON.',
  },
});

type KeptPage = {
  readonly title: string;
  readonly language: Language;
  /** Where nothing has arrived yet: how something does. */
  readonly none: string;
  /** The newest first. */
  readonly entries: readonly Markup[];
  /** The page above it, and its name. The home page where it is left out. */
  readonly above?: readonly [href: string, text: string];
  /** The levels between the page and the sandbox's root, as a path. */
  readonly root?: string;
  /** Whether the page shows another of this host in a frame. */
  readonly hasFrame?: boolean;
};

/** What the sandbox keeps under a name, for a browser. */
export const keptPage = ({
  title,
  language,
  none,
  entries,
  root = '..',
  above = [`${root}/../`, keptWords(language).back],
  hasFrame = false,
}: KeptPage): Promise<Answer> =>
  page({
    title: `${title} · Sinete`,
    language,
    styles: [assetUrl(root, 'common.css'), assetUrl(root, 'sandbox-home.css')],
    framesOwnPages: hasFrame,
    body: renderFrame({
      language,
      inLanguage: (other) => `?lang=${other}`,
      body: html`<main class="home">
<p><a href="${above[0]}?lang=${language}">${above[1]}</a></p>
<h1>${title}</h1>
${entries.length === 0 ? html`<p class="card">${none}</p>` : entries.map((each) => html`<section class="card">${each}</section>`)}
<p class="faint">${keptWords(language).forPrograms}</p>
</main>`,
    }),
  });
