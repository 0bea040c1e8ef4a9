import { html } from 'hono/html';
import { basePathOf } from '../../../../shared/access/return-path.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { renderNavigation } from '../../../../shared/ui/navigation.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { givenText } from '../../../../shared/ui/parts.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { mayDo, type Operation } from '../../domain/members/permissions.ts';
import type { SignedIn } from '../../domain/members/sessions.ts';
import { brandingOf } from '../../domain/places/branding.ts';

const frameWords = translations({
  console: { en: 'Console', 'pt-BR': 'Painel' },
  service: { en: 'Documents', 'pt-BR': 'Documentos' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
  documents: { en: 'Documents', 'pt-BR': 'Documentos' },
  send: { en: 'Send', 'pt-BR': 'Enviar' },
  templates: { en: 'Templates', 'pt-BR': 'Modelos' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
});

/** The pages of the navigation bar in its order, by their paths, and who sees them there. */
const ENTRIES = {
  documents: { path: '', operation: 'documents.read' },
  send: { path: 'send', operation: 'documents.send' },
  organization: { path: 'organization', operation: 'organization.read' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly operation: Operation }>>;

export type NavigationName = keyof typeof ENTRIES;
const NAMES = Object.keys(ENTRIES) as NavigationName[];

/** The path of a page of the console. @example consolePath('organization') // '/documents/console/organization' */
export const consolePath = (path = ''): string => `${basePathOf('documents')}/console${path && `/${path}`}`;

/**
 * The path of what scripts and links of the console's pages ask for beside pages: a path below `console/` would take the
 * pages beside it from the function that has them. @example besidePath('contents/zip') // '/documents/contents/zip'
 */
export const besidePath = (path: string): string => `${basePathOf('documents')}/${path}`;

/** A page of the navigation bar: its address and its name. */
export const entryOf = (language: Language, name: NavigationName) => ({
  href: consolePath(ENTRIES[name].path),
  text: frameWords(language)[name],
});

/** The entry that an address is below; the first one where it is below none. */
export const entryAt = (address: string): NavigationName => {
  const [, first = ''] = /\/console\/([\w-]+)/.exec(address) ?? [];
  return NAMES.find((name) => ENTRIES[name].path === first) ?? 'documents';
};

type ConsolePage = {
  readonly title: string;
  readonly language: Language;
  /** Who is logged in. Without a session the page has no navigation. */
  readonly signedIn?: Pick<SignedIn, 'member' | 'organization'> | undefined;
  readonly current?: NavigationName;
  /** The address of the page, to which the choice of a language leads back. */
  readonly address: string;
  /** The content of `<main>`. Elements with `data-live` are kept up to date by the script (shared/ui/browser/live.ts). */
  readonly body: Markup;
  readonly status?: number;
  /** Further stylesheets and scripts of the service, by their names. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Whether the page has a reader, which draws PDFs in a worker. */
  readonly hasReader?: boolean;
  /** Further origins that its scripts call, such as that of the store of uploads. */
  readonly connectsTo?: readonly string[];
};

/** A page of the console. All of it works without scripts; with them, live parts are kept up to date. */
export function consolePage(options: ConsolePage): Promise<Answer> {
  const { title, language, signedIn, current, address, body, status = 200 } = options;
  const { styles = [], scripts = [], connectsTo = [], hasReader = false } = options;
  const words = frameWords(language);
  const root = basePathOf('documents');
  const branding = signedIn && brandingOf(signedIn.organization);
  return page({
    title: `${title} · ${words.service}`,
    language,
    status,
    styles: ['common.css', 'documents-console.css', ...styles].map((name) => assetUrl(root, name)),
    scripts: ['documents-console.js', ...scripts].map((name) => assetUrl(root, name)),
    formAction: "'self'",
    showsImages: true,
    hasReader,
    connectsTo,
    body: renderFrame({
      language,
      logo: branding?.logoUrl ? `${root}/${branding.logoUrl}` : undefined,
      customer: branding?.displayName,
      inLanguage: (other) => inLanguage(address, other),
      navigation: signedIn ? navigationOf(signedIn, language, current) : '',
      body: html`<main class="console">${body}</main>`,
    }),
  });
}

/** The same page in another language. */
const inLanguage = (address: string, language: Language): string => {
  const [path = '', query = ''] = address.split('?', 2);
  const given = new URLSearchParams(query);
  // What a form has done is told once.
  given.delete('done');
  given.set('lang', language);
  return `${path}?${given}`;
};

function navigationOf(
  { member }: Pick<SignedIn, 'member'>,
  language: Language,
  current: NavigationName | undefined,
): Markup {
  const words = frameWords(language);
  return renderNavigation({
    label: words.console,
    entries: NAMES.filter((name) => mayDo(member.role, ENTRIES[name].operation)).map((name) => ({
      ...entryOf(language, name),
      isCurrent: name === current,
    })),
    aside: html`<form method="post" action="${basePathOf('documents')}/login/out"><span class="faint">${givenText(member.name)}</span> <button class="button quiet">${words.logOut}</button></form>`,
  });
}
