import { html } from 'hono/html';
import { basePathOf } from '../../access/return-path.ts';
import type { Branding } from '../../brand/branding.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { MembersOrganization, SignedIn } from '../../members/sessions.ts';
import type { ServiceName } from '../../settings/names.ts';
import { assetUrl } from '../../ui/assets.ts';
import { renderFrame } from '../../ui/frame.ts';
import type { Language } from '../../ui/languages.ts';
import { renderNavigation } from '../../ui/navigation.ts';
import { type Markup, page } from '../../ui/page.ts';
import { givenText } from '../../ui/parts.ts';
import { translations } from '../../ui/translations.ts';

const frameWords = translations({
  console: { en: 'Console', 'pt-BR': 'Painel' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
});

type Entry<Operation extends string> = { readonly path: string; readonly operation: Operation };

type FrameOptions<
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
  Name extends string,
> = {
  readonly service: ServiceName;
  /** The pages of the navigation bar in its order, by their paths, and who sees them there. */
  readonly entries: Readonly<Record<Name, Entry<Operation>>>;
  /** The names of the pages, and of the service. */
  readonly words: (language: Language) => Readonly<Record<Name | 'service', string>>;
  readonly mayDo: (role: Role, operation: Operation) => boolean;
  /** How an organization presents itself. The address of a logo is below the service's base path. */
  readonly brandingOf: (organization: Organization) => Pick<Branding, 'displayName' | 'logoUrl'>;
};

export type ConsolePage<Signed, Name extends string> = {
  readonly title: string;
  readonly language: Language;
  /** Who is logged in. Without a session the page has no navigation. */
  readonly signedIn?: Signed | undefined;
  readonly current?: Name;
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

/** The same page in another language. */
const inLanguage = (address: string, language: Language): string => {
  const [path = '', query = ''] = address.split('?', 2);
  const given = new URLSearchParams(query);
  // What a form has done is told once.
  given.delete('done');
  given.set('lang', language);
  return `${path}?${given}`;
};

export type Frame<
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
  Name extends string,
> = ReturnType<typeof consoleFrame<Role, Operation, Organization, Name>>;

/**
 * What surrounds every page of a service's console: its name, the organization, the navigation and the way out.
 * @example export const frame = consoleFrame({ service: 'documents', entries: ENTRIES, words, mayDo, brandingOf });
 */
export function consoleFrame<
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
  Name extends string,
>({ service, entries, words, mayDo, brandingOf }: FrameOptions<Role, Operation, Organization, Name>) {
  type Signed = Pick<SignedIn<Role, Organization>, 'member' | 'organization'>;
  const names = Object.keys(entries) as [Name, ...Name[]];

  /** The path of a page of the console. @example consolePath('organization') // '/documents/console/organization' */
  const consolePath = (path = ''): string => `${basePathOf(service)}/console${path && `/${path}`}`;

  /** A page of the navigation bar: its address and its name. */
  const entryOf = (language: Language, name: Name) => ({
    href: consolePath(entries[name].path),
    text: words(language)[name],
  });

  const navigationOf = ({ member }: Signed, language: Language, current: Name | undefined): Markup =>
    renderNavigation({
      label: frameWords(language).console,
      entries: names
        .filter((name) => mayDo(member.role, entries[name].operation))
        .map((name) => ({ ...entryOf(language, name), isCurrent: name === current })),
      aside: html`<form method="post" action="${basePathOf(service)}/login/out"><span class="faint">${givenText(member.name)}</span> <button class="button quiet">${frameWords(language).logOut}</button></form>`,
    });

  return {
    consolePath,
    entryOf,

    /**
     * The path of what scripts and links of the console's pages ask for beside pages: a path below `console/` would take
     * the pages beside it from the function that has them. @example besidePath('contents/zip') // '/documents/contents/zip'
     */
    besidePath: (path: string): string => `${basePathOf(service)}/${path}`,

    /** The entry that an address is below; the first one where it is below none. */
    entryAt: (address: string): Name => {
      const [, first = ''] = /\/console\/([\w-]+)/.exec(address) ?? [];
      return names.find((name) => entries[name].path === first) ?? names[0];
    },

    /** A page of the console. All of it works without scripts; with them, live parts are kept up to date. */
    consolePage(options: ConsolePage<Signed, Name>): Promise<Answer> {
      const { title, language, signedIn, current, address, body, status = 200 } = options;
      const { styles = [], scripts = [], connectsTo = [], hasReader = false } = options;
      const root = basePathOf(service);
      const branding = signedIn && brandingOf(signedIn.organization);
      return page({
        title: `${title} · ${words(language).service}`,
        language,
        status,
        styles: ['common.css', `${service}-console.css`, ...styles].map((name) => assetUrl(root, name)),
        scripts: [`${service}-console.js`, ...scripts].map((name) => assetUrl(root, name)),
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
    },
  };
}
