import type { Form } from '../http/body/page-form.ts';
import type { Params } from '../http/request/match-route.ts';
import type { Answer } from '../http/response/answer.ts';
import type { MembersOrganization, SignedIn } from '../members/sessions.ts';
import type { Language } from '../ui/languages.ts';

export type { Form, Params };

/**
 * The console of a service's members. To add a page:
 *
 * 1. Write a section, a folder of `sections/`: its pages and forms by their paths below `/<service>/console/`, each with
 *    the operation of the service's table of permissions that it is. Whoever may not do it is refused before the page runs.
 * 2. A page answers `memberPage(visit, { title, current, body })` (pages/member-page.ts); a form calls the domain that the
 *    API calls, with `visit.caller`, and answers `leadTo(path, word)`: the page it leads to says what was done.
 *    A refusal that is thrown becomes a page; a form that wants to be shown again catches it (refusals.ts).
 * 3. Name the section in the service's console/routes.ts, by the first part of its paths, and its entry of the navigation
 *    in its console/pages/frame.ts.
 *
 * Session, language, CSRF and refusals are the rules of http/member-visit.ts, for all of them.
 */

/** A member's request for a page, or a form that a member sent. */
export type Visit<Role extends string, Organization extends MembersOrganization> = SignedIn<
  Role,
  Organization
> &
  VisitRequest;

type VisitRequest = {
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
export type ShownPage<OwnVisit, Operation extends string> = {
  readonly operation: Operation;
  readonly show: (visit: OwnVisit, params: Params) => Promise<Answer>;
};

/** A form and who may send it. It does what it says and leads to a page; or it is shown again with what is wrong. */
export type SentForm<OwnVisit, Operation extends string> = {
  readonly operation: Operation;
  readonly submit: (visit: OwnVisit, params: Params, form: Form) => Promise<Answer>;
};

/** A part of the console: its pages and forms by their paths below `console/`. `{id}` in a path is a name of `params`. */
export type Section<OwnVisit, Operation extends string> = {
  readonly pages: Readonly<Record<string, ShownPage<OwnVisit, Operation>>>;
  readonly forms: Readonly<Record<string, SentForm<OwnVisit, Operation>>>;
};

/** The first value of a query parameter; empty where it was not given. */
export const queryText = ({ query }: Pick<VisitRequest, 'query'>, name: string): string =>
  [query[name]].flat()[0] ?? '';
