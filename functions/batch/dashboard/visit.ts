import type { Caller } from '../../../shared/access/caller.ts';
import type { Form } from '../../../shared/http/body/page-form.ts';
import type { Params } from '../../../shared/http/request/match-route.ts';
import type { Answer } from '../../../shared/http/response/answer.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import type { Pipeline } from '../pipeline/domain/pipeline.ts';

export { queryText } from '../../../shared/console/visit.ts';
export type { Form, Params };

/** An operator's request for a page, or a form that an operator sent. */
export type Visit = {
  readonly operator: Caller;
  readonly language: Language;
  /** The path of the page with its query, for links that lead back to it. */
  readonly address: string;
  /** A value that was given several times is a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Whether jobs are picked up, which every page says. It is read while the page reads its own. */
  readonly pipeline: Promise<Pipeline>;
  readonly nowMs: number;
  /** When the host ends this request. Long work goes on in the background before it. */
  readonly deadlineAtMs: number;
};

export type ShowPage = (visit: Visit, params: Params) => Promise<Answer>;

/** Does what the form says, and leads to a page; or shows the form again with what is wrong. */
export type SubmitForm = (visit: Visit, params: Params, form: Form) => Promise<Answer>;

/** A part of the dashboard: its pages and forms by their route below `dashboard/`. */
export type Section = {
  readonly pages: Readonly<Record<string, ShowPage>>;
  readonly forms: Readonly<Record<string, SubmitForm>>;
};
