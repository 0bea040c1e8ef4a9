import { html } from 'hono/html';
import type { MembersOrganization } from '../../members/sessions.ts';
import type { Language } from '../../ui/languages.ts';
import type { Markup } from '../../ui/page.ts';
import type { Visit } from '../visit.ts';

type TabOptions<Role extends string, Operation extends string, Name extends string> = {
  readonly consolePath: (path: string) => string;
  readonly mayDo: (role: Role, operation: Operation) => boolean;
  /** The pages about one subject in their order, and who sees them. */
  readonly tabs: Readonly<Record<Name, { readonly path: string; readonly operation: Operation }>>;
  /** The names of the pages, and of their subject. */
  readonly words: (language: Language) => Readonly<Record<NoInfer<Name> | 'title', string>>;
};

/** The pages about one subject of a console. @example export const { tabs, tabTitle } = consoleTabs({ … }); */
export function consoleTabs<Role extends string, Operation extends string, Name extends string>({
  consolePath,
  mayDo,
  tabs: pages,
  words: wordsIn,
}: TabOptions<Role, Operation, Name>) {
  return {
    /** The heading of a page about the subject, and the ways to the others. */
    tabs({ language, member }: Visit<Role, MembersOrganization>, current: Name): Markup {
      const words = wordsIn(language);
      const shown = (Object.keys(pages) as Name[]).filter((name) =>
        mayDo(member.role, pages[name].operation),
      );
      return html`<div><h1>${words.title}</h1>
<nav class="tabs" aria-label="${words.title}"><ul>${shown.map(
        (name) =>
          html`<li><a href="${consolePath(pages[name].path)}"${name === current ? html` aria-current="page"` : ''}>${words[name]}</a></li>`,
      )}</ul></nav></div>`;
    },

    /** The title of a page, for the window. */
    tabTitle: ({ language }: { readonly language: Language }, name: Name): string =>
      `${wordsIn(language)[name]} · ${wordsIn(language).title}`,
  };
}

export type ConsoleTabs<Role extends string, Name extends string> = ReturnType<
  typeof consoleTabs<Role, string, Name>
>;
