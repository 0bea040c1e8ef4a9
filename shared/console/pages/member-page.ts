import { html } from 'hono/html';
import { type Answer, redirect } from '../../http/response/answer.ts';
import type { MembersOrganization, SignedIn } from '../../members/sessions.ts';
import type { Language } from '../../ui/languages.ts';
import type { Markup } from '../../ui/page.ts';
import { doneNotice } from '../../ui/parts.ts';
import { translations } from '../../ui/translations.ts';
import { queryText, type Visit } from '../visit.ts';
import type { ConsolePage, Frame } from './frame.ts';

const pageWords = translations({
  ended: {
    en: 'Your session has ended. What you see is no longer kept up to date.',
    'pt-BR': 'Sua sessão terminou. O que você vê já não é atualizado.',
  },
  logIn: { en: 'Log in again', 'pt-BR': 'Entrar de novo' },
});

type MemberPage<Name extends string> = Omit<
  ConsolePage<never, Name>,
  'language' | 'address' | 'signedIn' | 'current'
> & {
  readonly current: Name;
  /**
   * What forms of this section have done, by the word in `?done=`. Content spoofing: any other word shows nothing, so
   * that a link cannot put words on a page.
   */
  readonly done?: Readonly<Record<string, string>>;
  /** The address of the page, where it is the answer to a form. */
  readonly address?: string;
};

/** Shown by the script that keeps parts of the page up to date. */
export const endedNotice = (language: Language, href: string): Markup =>
  html`<div class="problem" id="session-ended" role="alert" hidden><p>${pageWords(language).ended}</p>
<p><a href="${href}">${pageWords(language).logIn}</a></p></div>`;

/** The pages of a console for a member who is logged in. @example export const { memberPage, leadTo } = memberPages(frame); */
export function memberPages<
  Role extends string,
  Operation extends string,
  Organization extends MembersOrganization,
  Name extends string,
>({ consolePath, consolePage }: Frame<Role, Operation, Organization, Name>) {
  return {
    /**
     * A page for a member who is logged in.
     * @example return memberPage(visit, { title: words.title, current: 'organization', body: html`<h1>…</h1>` });
     */
    memberPage(
      visit: Visit<Role, Organization>,
      { done = {}, body, ...rest }: MemberPage<Name>,
    ): Promise<Answer> {
      const { language, address } = visit;
      const signedIn: SignedIn<Role, Organization> = visit;
      const word = queryText(visit, 'done');
      return consolePage({
        language,
        address,
        signedIn,
        ...rest,
        body: html`${endedNotice(language, consolePath())}
${doneNotice(Object.hasOwn(done, word) ? done[word] : undefined)}
${body}`,
      });
    },

    /**
     * Leads from a form to the page that shows what it did. A page that is loaded again does nothing again.
     * @example return leadTo('organization/members', 'invited'); // 303 to …/console/organization/members?done=invited
     */
    leadTo: (path: string, done: string): Answer =>
      redirect(`${consolePath(path)}?${new URLSearchParams({ done })}`, { status: 303 }),
  };
}

export type MemberPages<
  Role extends string,
  Organization extends MembersOrganization,
  Name extends string,
> = ReturnType<typeof memberPages<Role, string, Organization, Name>>;
