import { html } from 'hono/html';
import { type Answer, redirect } from '../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { doneNotice } from '../../../../shared/ui/parts.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { queryText, type Visit } from '../visit.ts';
import { consolePage, consolePath, type NavigationName } from './frame.ts';

const pageWords = translations({
  ended: {
    en: 'Your session has ended. What you see is no longer kept up to date.',
    'pt-BR': 'Sua sessão terminou. O que você vê já não é atualizado.',
  },
  logIn: { en: 'Log in again', 'pt-BR': 'Entrar de novo' },
});

type MemberPage = Omit<Parameters<typeof consolePage>[0], 'language' | 'address' | 'signedIn' | 'current'> & {
  readonly current: NavigationName;
  /**
   * What forms of this section have done, by the word in `?done=`. Content spoofing: any other word shows nothing, so
   * that a link cannot put words on a page.
   */
  readonly done?: Readonly<Record<string, string>>;
  /** The address of the page, where it is the answer to a form. */
  readonly address?: string;
};

/**
 * A page for a member who is logged in.
 * @example return memberPage(visit, { title: words.title, current: 'organization', body: html`<h1>…</h1>` });
 */
export function memberPage(visit: Visit, { done = {}, body, ...rest }: MemberPage): Promise<Answer> {
  const { language, address } = visit;
  const words = pageWords(language);
  const word = queryText(visit, 'done');
  return consolePage({
    language,
    address,
    signedIn: visit,
    ...rest,
    body: html`${endedNotice(words)}
${doneNotice(Object.hasOwn(done, word) ? done[word] : undefined)}
${body}`,
  });
}

// Shown by the script that keeps parts of the page up to date.
const endedNotice = (words: ReturnType<typeof pageWords>): Markup =>
  html`<div class="problem" id="session-ended" role="alert" hidden><p>${words.ended}</p>
<p><a href="${consolePath()}">${words.logIn}</a></p></div>`;

/**
 * Leads from a form to the page that shows what it did. A page that is loaded again does nothing again.
 * @example return leadTo('organization/members', 'invited'); // 303 to …/console/organization/members?done=invited
 */
export const leadTo = (path: string, done: string): Answer =>
  redirect(`${consolePath(path)}?${new URLSearchParams({ done })}`, { status: 303 });
