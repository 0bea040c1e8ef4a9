import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { renderNavigation } from '../../../../shared/ui/navigation.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { CULTURES } from '../../auth/http/page-language.ts';
import { logoPath } from '../../auth/pages/logo-path.ts';

const frameWords = translations({
  service: { en: 'Batch signing', 'pt-BR': 'Assinatura em lote' },
  dashboard: { en: 'Dashboard', 'pt-BR': 'Painel' },
  menu: { en: 'Menu', 'pt-BR': 'Menu' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
  overview: { en: 'Overview', 'pt-BR': 'Visão geral' },
  jobs: { en: 'Jobs', 'pt-BR': 'Trabalhos' },
  upload: { en: 'Upload', 'pt-BR': 'Enviar' },
  folders: { en: 'Folders', 'pt-BR': 'Pastas' },
  profiles: { en: 'Profiles', 'pt-BR': 'Perfis' },
  approvers: { en: 'Approvers', 'pt-BR': 'Aprovadores' },
  pipeline: { en: 'Pipeline', 'pt-BR': 'Processamento' },
  events: { en: 'Events', 'pt-BR': 'Eventos' },
  metrics: { en: 'Metrics', 'pt-BR': 'Métricas' },
  readiness: { en: 'Readiness', 'pt-BR': 'Prontidão' },
  cluster: { en: 'Cluster', 'pt-BR': 'Cluster' },
  backups: { en: 'Backups', 'pt-BR': 'Backups' },
});

/** The pages of the navigation bar, in its order. */
export const ENTRIES = [
  'overview',
  'jobs',
  'upload',
  'folders',
  'profiles',
  'approvers',
  'pipeline',
  'events',
  'metrics',
  'readiness',
  'cluster',
  'backups',
] as const;

export type NavigationName = (typeof ENTRIES)[number];

/** The path of a page of the dashboard. @example dashboardPath('jobs') // '/batch/dashboard/jobs' */
export const dashboardPath = (path = ''): string =>
  path === '' ? basePath() : `${basePath()}/dashboard/${path}`;

/** A page of the navigation bar: its address and its name. */
export const entryOf = (language: Language, name: NavigationName) => ({
  href: dashboardPath(name === 'overview' ? '' : name),
  text: frameWords(language)[name],
});

type DashboardPage = {
  readonly title: string;
  readonly language: Language;
  /** Who is logged in. Without a session the page has no navigation. */
  readonly operator?: string | undefined;
  readonly current?: NavigationName;
  /** The address of the page, to which the choice of a language leads back. */
  readonly address: string;
  /** The content of `<main>`. Elements with `data-live` are kept up to date by the script. */
  readonly body: Markup;
  readonly status?: number;
  /** Further origins that its scripts call. */
  readonly connectsTo?: readonly string[];
};

/** A page of the dashboard. All of it works without scripts; with them, live parts are kept up to date. */
export function dashboardPage(options: DashboardPage): Promise<Answer> {
  const { title, language, operator, current, address, body, status = 200, connectsTo = [] } = options;
  const words = frameWords(language);
  const navigation =
    operator === undefined
      ? ''
      : renderNavigation({
          label: words.dashboard,
          menu: words.menu,
          entries: ENTRIES.map((name) => ({
            ...entryOf(language, name),
            isCurrent: name === current,
          })),
          aside: html`<form method="post" action="${basePath()}/api/auth/logout"><span class="faint">${operator}</span> <button class="button quiet">${words.logOut}</button></form>`,
        });
  return page({
    title: `${title} · ${words.service}`,
    language,
    status,
    styles: ['common.css', 'batch-dashboard.css'].map((name) => assetUrl(basePath(), name)),
    scripts: [assetUrl(basePath(), 'batch-dashboard.js')],
    formAction: "'self'",
    showsImages: true,
    connectsTo,
    body: renderFrame({
      language,
      logo: logoPath(),
      isForm: true,
      inLanguage: (other) => culturePath(other, address),
      navigation,
      body: html`<main class="dashboard">${body}</main>`,
    }),
  });
}

/** Where a form stores the choice of a language. */
const culturePath = (language: Language, address: string): string =>
  `${basePath()}/api/culture?${new URLSearchParams({ culture: CULTURES[language], redirectUri: address })}`;
