import { basePathOf, returnPathBelow } from '../../../../shared/access/return-path.ts';
import type { Form } from '../../../../shared/http/body/page-form.ts';
import { type Answer, redirect } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { sessionCookie } from '../http/session-cookie.ts';

/** Somebody at the log-in, who has no session or an older one. */
export type Visitor = {
  readonly language: Language;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly nowMs: number;
};

export type SubmitStep = (visitor: Visitor, form: Form) => Promise<Answer>;
export type ShowStep = (visitor: Visitor) => Promise<Answer>;

/** Where a log-in leads. A path that is not of the console is the console's first page. */
export function returnPathOf(given: unknown): string {
  const base = basePathOf('documents');
  const path = returnPathBelow(base, typeof given === 'string' ? given : undefined);
  return /^\/console(?:[/?#]|$)/.test(path.slice(base.length)) ? path : `${base}/console`;
}

/** Leads on with a session. */
export const entered = (cookie: string, returnPath: string): Answer =>
  redirect(returnPath, { status: 303, cookies: [sessionCookie(cookie)] });
