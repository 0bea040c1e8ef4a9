import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { renderNavigation } from '../../../../shared/ui/navigation.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { logoPath } from '../../auth/pages/logo-path.ts';

const frameWords = translations({
  portal: { en: 'Approvals', 'pt-BR': 'Aprovações' },
  pending: { en: 'Waiting for you', 'pt-BR': 'Aguardando você' },
  decided: { en: 'Decided', 'pt-BR': 'Decididas' },
  logOut: { en: 'Leave', 'pt-BR': 'Sair' },
});

type PortalPage = {
  readonly title: string;
  readonly language: Language;
  /** The content of `<main>`. */
  readonly body: Markup;
  /** Whose session it is. Without one the page has no navigation. */
  readonly address?: string;
  /** The list that the navigation marks. */
  readonly list?: 'pending' | 'decided';
  /** The address of the page, where it differs from that of the request: a form was answered, or it has a query. */
  readonly path?: string;
  readonly status?: number;
  /** Names of stylesheets beside the common ones. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
};

/** The address of a page of the portal. @example portalPath('jobs/…') // '/batch/approvals/jobs/…' */
export const portalPath = (path = ''): string => `${basePath()}/approvals${path && `/${path}`}`;

/** The page of the second factor, for somebody who comes from a job and returns to it. */
export const secondFactorPath = (jobId: string | undefined, path = ''): string =>
  portalPath(`second-factor${path}${jobId === undefined ? '' : `?job=${encodeURIComponent(jobId)}`}`);

/** A page of the portal: the navigation of its two lists above the content. Forms work without scripts. */
export function portalPage(options: PortalPage) {
  const {
    title,
    language,
    body,
    address,
    list,
    path = '',
    status = 200,
    styles = [],
    scripts = [],
  } = options;
  const words = frameWords(language);
  const entry = (name: 'pending' | 'decided', href: string) => ({
    href,
    text: words[name],
    isCurrent: name === list,
  });
  const navigation =
    address === undefined
      ? ''
      : renderNavigation({
          label: words.portal,
          entries: [entry('pending', portalPath()), entry('decided', portalPath('decided'))],
          aside: html`<form method="post" action="${portalPath('leave')}"><span class="faint">${address}</span> <button class="button quiet">${words.logOut}</button></form>`,
        });
  const answer: Promise<Answer> = page({
    title: `${title} · ${words.portal}`,
    language,
    status,
    styles: ['common.css', 'batch-portal.css', ...styles].map((name) => assetUrl(basePath(), name)),
    scripts,
    formAction: "'self'",
    showsImages: true,
    body: renderFrame({
      language,
      logo: logoPath(),
      inLanguage: (other) => `${path}${path.includes('?') ? '&' : '?'}lang=${other}`,
      navigation,
      body: html`<main>${body}</main>`,
    }),
  });
  return answer;
}
