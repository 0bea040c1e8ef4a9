import { basePathOf } from '../../../../shared/access/return-path.ts';
import type { Call } from '../../../../shared/http/call.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { isChange } from '../../../../shared/http/request/cross-origin.ts';
import { type Answer, redirect } from '../../../../shared/http/response/answer.ts';
import { signedInBy } from '../../domain/members/sessions.ts';
import { type ErrorCode, errors } from '../../errors.ts';
import { documents } from '../../service.ts';
import { refusalPage } from '../pages/refusal-page.ts';
import type { Visit } from '../visit.ts';
import { pageLanguage, rememberLanguage, sessionIn } from './session-cookie.ts';

/** One function answers all pages or forms, so it has the answers and refusals of all. */
export const CONSOLE = {
  answers: { 200: PAGE, 303: REDIRECT, ...FORM_AGAIN },
  refuses: Object.keys(errors.rows) as ErrorCode[],
};

/**
 * An endpoint of the console. The cookie of a member's session is the only credential, and not a key. A browser without a
 * session is led to the log-in and from there back to the page; a script gets the refusal.
 */
export const memberEndpoint = pageEndpoint(documents, {
  language: pageLanguage,
  visitors: {
    async find(call, nowMs): Promise<Omit<Visit, 'language'> | undefined> {
      const cookie = sessionIn(call.cookies) ?? '';
      const signedIn = await signedInBy(cookie, nowMs);
      if (!signedIn) return undefined;
      const request = { cookie, address: addressOf(call), query: call.query, nowMs };
      return { ...signedIn, ...request, deadlineAtMs: nowMs + call.remainingMs() };
    },
    without: async (call) => toLogin(call, addressOf(call)),
  },
  refusalPage: (refusal, { language, call, visit }) =>
    refusalPage({ language, address: addressOf(call), visit }, refusal),
  finish: rememberLanguage,
});

/** The path with the query, below the path that the browser knows the service by. The choice of a language is no part. */
function addressOf({ path, query }: Call): string {
  const given = Object.entries(query).flatMap(([name, values]) =>
    name === 'lang' ? [] : [values].flat().map((value): [string, string] => [name, value]),
  );
  const text = new URLSearchParams(given).toString();
  return `${basePathOf('documents')}${path.replace(/^.*?\/documents(?=\/|$)/, '')}${text && `?${text}`}`;
}

// A form that comes after its session has done nothing: it leads to the page above it, whose address has a page.
function toLogin({ method, cookies }: Call, address: string): Answer {
  const target = isChange(method) ? (address.split('?')[0] ?? '').replace(/\/[^/]*$/, '') : address;
  const hasEnded = sessionIn(cookies) !== undefined;
  const query = new URLSearchParams({ ReturnUrl: target, ...(hasEnded && { problem: 'session-ended' }) });
  return redirect(`${basePathOf('documents')}/login?${query}`, { status: 303 });
}
