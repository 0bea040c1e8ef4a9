import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { SEAL_ICON } from '../brand/icon.ts';
import { type Answer, html as answerHtml } from '../http/response/answer.ts';
import type { Language } from './languages.ts';
import { translations } from './translations.ts';

const pageWords = translations({
  description: {
    en: 'Digital signatures with ICP-Brasil certificates.',
    'pt-BR': 'Assinaturas digitais com certificados ICP-Brasil.',
  },
});

/** Escaped HTML, made by the `html` template of hono/html. */
export type Markup = ReturnType<typeof html>;

type PageOptions = {
  readonly title: string;
  /** What a message shows of a link to the page. It has no personal data: whoever passes the link on shows it to others. */
  readonly preview?: { readonly title: string; readonly description: string };
  readonly language: Language;
  readonly body: Markup;
  /** Addresses of stylesheets and module scripts. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** A style in the page itself: of one that cannot load any, or the colors of one page. Its hash allows it alone. */
  readonly inlineStyle?: string;
  /** Whether the page has a reader, which draws PDFs in a worker. */
  readonly hasReader?: boolean;
  /** Whether the page shows images of this host. */
  readonly showsImages?: boolean;
  /** Whether the page shows other pages of this host in frames. */
  readonly framesOwnPages?: boolean;
  /** Further origins that scripts of the page may call, such as that of a store. */
  readonly connectsTo?: readonly string[];
  readonly status?: number;
  /** The origins that may embed the page in a frame, or `'self'`. None by default. */
  readonly frameAncestors?: string;
  /** The CSP sources that a form may submit to, redirects included. None by default. */
  readonly formAction?: string;
};

/**
 * Renders a page under a Content-Security-Policy: it loads and calls this host only, without inline scripts.
 * @example return page({ title: 'Sign', language: 'en', styles: [assetUrl(root, 'common.css')], body: html`<main>…</main>` });
 */
export async function page(options: PageOptions): Promise<Answer> {
  const { title, language, body, styles = [], scripts = [], inlineStyle = '', status = 200 } = options;
  const preview = options.preview ?? { title: 'Sinete', description: pageWords(language).description };
  const text = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta property="og:site_name" content="Sinete">
<meta property="og:type" content="website">
<meta property="og:title" content="${preview.title}">
<meta property="og:description" content="${preview.description}">
<link rel="icon" href="${SEAL_ICON}">
${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
${inlineStyle && html`<style>${raw(inlineStyle)}</style>`}
${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
</head>
<body>
${body}
</body>
</html>
`;
  return answerHtml(String(text), {
    status,
    headers: {
      'content-security-policy': contentSecurityPolicy({
        hasStyles: styles.length > 0,
        inlineStyle,
        hasScripts: scripts.length > 0,
        hasReader: options.hasReader ?? false,
        showsImages: options.showsImages ?? false,
        framesOwnPages: options.framesOwnPages ?? false,
        connectsTo: options.connectsTo ?? [],
        frameAncestors: options.frameAncestors ?? "'none'",
        formAction: options.formAction ?? "'none'",
      }),
      'content-language': language,
      vary: 'accept-language',
      // The address of a page may contain a ticket, which must not reach another site in a Referer.
      'referrer-policy': 'no-referrer',
    },
  });
}

type PolicyOptions = {
  readonly hasStyles: boolean;
  readonly inlineStyle: string;
  readonly hasScripts: boolean;
  readonly hasReader: boolean;
  readonly showsImages: boolean;
  readonly framesOwnPages: boolean;
  readonly connectsTo: readonly string[];
  readonly frameAncestors: string;
  readonly formAction: string;
};

// XSS: a page without scripts may not run one, and so on. The icon is in the page itself.
const contentSecurityPolicy = ({
  hasStyles,
  inlineStyle,
  hasScripts,
  hasReader,
  showsImages,
  framesOwnPages,
  connectsTo,
  frameAncestors,
  formAction,
}: PolicyOptions): string =>
  [
    "default-src 'none'",
    ...(hasScripts ? ["script-src 'self'", ["connect-src 'self'", ...connectsTo].join(' ')] : []),
    ...(hasStyles || inlineStyle
      ? [
          [
            'style-src',
            ...(hasStyles ? ["'self'"] : []),
            ...(inlineStyle ? [`'${hashOf(inlineStyle)}'`] : []),
          ].join(' '),
        ]
      : []),
    ...(hasReader ? ["worker-src 'self'"] : []),
    ...(framesOwnPages ? ["frame-src 'self'"] : []),
    showsImages ? "img-src 'self' data:" : 'img-src data:',
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
