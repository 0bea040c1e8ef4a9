import { accepts } from '../../../../shared/http/accepts.ts';
import type { Answer } from '../../../../shared/http/answer.ts';
import { redirect } from '../../../../shared/http/answer.ts';
import { isChange, isCrossOrigin } from '../../../../shared/http/cross-origin.ts';
import type { Input } from '../../../../shared/http/declaration.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import type { Service } from '../../../../shared/http/endpoint.ts';
import { refusalOf } from '../../../../shared/http/refusal-of.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { sessionIn } from '../../auth/http/session-cookie.ts';
import { errors } from '../../errors.ts';
import { operatorOf } from '../../operator-sessions.ts';
import { NEVER_PAUSED, type Pipeline, pipelines } from '../../pipeline/domain/pipeline.ts';
import { batch } from '../../service.ts';
import { refusalPage } from '../pages/refusal-page.ts';
import type { Visit } from '../visit.ts';

/** Statuses of refusals, which a browser gets as a page; a visitor without a session is led to the login. */
export const DASHBOARD_ANSWERS = {
  200: PAGE,
  303: REDIRECT,
  400: PAGE,
  403: PAGE,
  404: PAGE,
  409: PAGE,
  410: PAGE,
  413: PAGE,
  415: PAGE,
  422: PAGE,
  503: PAGE,
} as const;

type Request = Pick<
  Input<undefined, undefined, undefined>,
  'cookies' | 'deadlineAtMs' | 'headers' | 'method' | 'path' | 'query'
>;

/**
 * Answers an operator. The cookie of an operator's session is the only credential: not a key, and not the cookie of an
 * approver. A browser without a session is led to the login and from there back to the page; a script gets the refusal.
 */
export async function answerOperator(
  request: Request,
  answer: (visit: Visit) => Promise<Answer>,
): Promise<Answer> {
  const nowMs = Date.now();
  const language = pageLanguage(request);
  const isPage = accepts(request.headers.accept, 'text/html');
  const address = addressOf(request);
  let visit: Visit | undefined;
  try {
    // CSRF: browsers add the cookie to what other pages send.
    if (isChange(request.method) && isCrossOrigin(request.headers)) throw errors.refuse('auth.cross-origin');
    const operator = await operatorOf(sessionIn(request.cookies) ?? '', nowMs);
    if (!operator && !isPage) throw errors.refuse('auth.invalid-credentials');
    if (!operator) return toLogin(request, address);
    const { query, deadlineAtMs } = request;
    visit = { operator, language, address, query, nowMs, deadlineAtMs, pipeline: readPipeline() };
    return await answer(visit);
  } catch (error) {
    // An unexpected failure is logged with its cause by the framework, and answered as it says.
    const refusal = refusalOf(batch as unknown as Service, error);
    if (!isPage || refusal.code === 'internal') throw error;
    return refusalPage({ language, address, visit }, refusal);
  }
}

/** A store that does not answer fails the page by the page's own reads. */
const readPipeline = async (): Promise<Pipeline> =>
  (await pipelines.get('pipeline').catch(() => undefined)) ?? NEVER_PAUSED;

/** The path with the query, below the path that the browser knows the service by. */
function addressOf({ path, query }: Request): string {
  const given = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const text = new URLSearchParams(given).toString();
  return `${basePath()}${path.replace(/^.*?\/batch(?=\/|$)/, '')}${text && `?${text}`}`;
}

// A form that comes after its session has done nothing: it leads to the page above it, whose address has a page.
const toLogin = ({ method, cookies }: Request, address: string): Answer => {
  const target = isChange(method) ? (address.split('?')[0] ?? '').replace(/\/[^/]*$/, '') : address;
  const hasEnded = sessionIn(cookies) !== undefined;
  const query = new URLSearchParams({ ReturnUrl: target, ...(hasEnded && { problem: 'session-ended' }) });
  return redirect(`${basePath()}/login?${query}`, { status: 303 });
};
