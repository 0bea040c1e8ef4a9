import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';

type VerificationPage = {
  readonly title: string;
  /** What a message shows of a link to the page: nothing about a person. */
  readonly preview?: { readonly title: string; readonly description: string };
  readonly language: Language;
  /** The content of `<main>`. */
  readonly body: Markup;
  /** The relative path from the page to the service's base path: works under any stage prefix. */
  readonly root: '.' | '..';
  readonly status?: number;
};

/** A page of the verification. Search engines list none: each is about a person. */
export async function verificationPage(options: VerificationPage) {
  const { title, preview, language, body, root, status = 200 } = options;
  const answer: Answer = await page({
    title: `${title} · Sinete`,
    ...(preview && { preview }),
    language,
    status,
    styles: [assetUrl(root, 'common.css'), assetUrl(root, 'credentials-verification.css')],
    formAction: "'self'",
    body: renderFrame({
      language,
      body: html`<main class="verification">${body}</main>`,
      inLanguage: (other) => `?lang=${other}`,
    }),
  });
  return { ...answer, headers: { ...answer.headers, 'x-robots-tag': 'noindex, nofollow' } };
}
