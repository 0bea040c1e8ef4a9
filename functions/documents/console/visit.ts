import type { Form } from '../../../shared/http/body/page-form.ts';
import type { Params } from '../../../shared/http/request/match-route.ts';
import type { Answer } from '../../../shared/http/response/answer.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import type { Operation } from '../domain/members/permissions.ts';
import type { SignedIn } from '../domain/members/sessions.ts';

export type { Form, Params };

/**
 * The console of members. To add a page:
 *
 * 1. Write a section, a folder of `sections/`: its pages and forms by their paths below `/documents/console/`, each with
 *    the operation of domain/members/permissions.ts that it is. Whoever may not do it is refused before the page runs.
 * 2. A page answers `memberPage(visit, { title, current, body })` of pages/member-page.ts; a form calls the domain that the
 *    API calls, with `visit.caller`, and answers `leadTo(path, word)`: the page it leads to says what was done.
 *    A refusal that is thrown becomes a page; a form that wants to be shown again catches it (pages/refusals.ts).
 * 3. Name the section in routes.ts, by the first part of its paths, and its entry of the navigation in pages/frame.ts.
 *
 * Session, language, CSRF and refusals are the rules of http/member-visit.ts, for all of them.
 */

/** A member's request for a page, or a form that a member sent. */
export type Visit = SignedIn & {
  readonly language: Language;
  /** The cookie of the session. */
  readonly cookie: string;
  /** The path of the page with its query, for links that lead back to it. */
  readonly address: string;
  /** A value that was given several times is a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly nowMs: number;
  /** When the host ends this request. Long work goes on in the background before it. */
  readonly deadlineAtMs: number;
};

/** A page and who may see it. */
export type ShownPage = {
  readonly operation: Operation;
  readonly show: (visit: Visit, params: Params) => Promise<Answer>;
};

/** A form and who may send it. It does what it says and leads to a page; or it is shown again with what is wrong. */
export type SentForm = {
  readonly operation: Operation;
  readonly submit: (visit: Visit, params: Params, form: Form) => Promise<Answer>;
};

/** A part of the console: its pages and forms by their paths below `console/`. `{id}` in a path is a name of `params`. */
export type Section = {
  readonly pages: Readonly<Record<string, ShownPage>>;
  readonly forms: Readonly<Record<string, SentForm>>;
};

/** The first value of a query parameter; empty where it was not given. */
export const queryText = ({ query }: Pick<Visit, 'query'>, name: string): string =>
  [query[name]].flat()[0] ?? '';
