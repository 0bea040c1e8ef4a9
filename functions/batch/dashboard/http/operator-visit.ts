import { pageAddress, toLogin } from '../../../../shared/console/http/page-address.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { isChange } from '../../../../shared/http/request/cross-origin.ts';
import { pageLanguage } from '../../auth/http/page-language.ts';
import { sessionIn } from '../../auth/http/session-cookie.ts';
import { operatorOf } from '../../config/operator-sessions.ts';
import { type ErrorCode, errors } from '../../errors.ts';
import { NEVER_PAUSED, type Pipeline, pipelines } from '../../pipeline/domain/pipeline.ts';
import { batch } from '../../service.ts';
import { refusalPage } from '../pages/refusal-page.ts';
import type { Visit } from '../visit.ts';

/** One function answers all pages or forms, so it has the answers and refusals of all. */
export const DASHBOARD = {
  answers: { 200: PAGE, 303: REDIRECT, ...FORM_AGAIN },
  refuses: Object.keys(errors.rows) as ErrorCode[],
};

/**
 * An endpoint of the dashboard. The cookie of an operator's session is the only credential: not a key, and not the cookie
 * of an approver. A browser without a session is led to the login and from there back to the page; a script gets the
 * refusal.
 */
export const operatorEndpoint = pageEndpoint(batch, {
  language: pageLanguage,
  visitors: {
    async find(call, nowMs): Promise<Omit<Visit, 'language'> | undefined> {
      const operator = await operatorOf(sessionIn(call.cookies) ?? '', nowMs);
      if (!operator) return undefined;
      const request = { address: pageAddress('batch', call), query: call.query, nowMs };
      return { operator, ...request, deadlineAtMs: nowMs + call.remainingMs(), pipeline: readPipeline() };
    },
    async without(call) {
      const address = pageAddress('batch', call);
      // A form that comes after its session has done nothing: it leads to the page above it, whose address has a page.
      const above = (address.split('?')[0] ?? '').replace(/\/[^/]*$/, '');
      const hasEnded = sessionIn(call.cookies) !== undefined;
      return toLogin('batch', isChange(call.method) ? above : address, hasEnded);
    },
  },
  refusalPage: (refusal, { language, call, visit }) =>
    refusalPage({ language, address: pageAddress('batch', call), visit }, refusal),
});

/** A store that does not answer fails the page by the page's own reads. */
const readPipeline = async (): Promise<Pipeline> =>
  (await pipelines.get('pipeline').catch(() => undefined)) ?? NEVER_PAUSED;
