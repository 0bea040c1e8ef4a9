import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { accepts } from '../../../shared/http/accepts.ts';
import type { Answer, Cookie } from '../../../shared/http/answer.ts';
import { isAnswer } from '../../../shared/http/answer.ts';
import { deferredBody } from '../../../shared/http/body/reader.ts';
import { isChange, isCrossOrigin } from '../../../shared/http/cross-origin.ts';
import {
  type AnswerShape,
  type Declaration,
  type Input,
  type Output,
  PAGE,
} from '../../../shared/http/declaration.ts';
import type { Endpoint, Service } from '../../../shared/http/endpoint.ts';
import { refuseOverLimit } from '../../../shared/http/middleware/limit-rate.ts';
import { refusalOf } from '../../../shared/http/refusal-of.ts';
import { hitInBlocks } from '../../../shared/store/rate-window.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { basePath } from '../auth/domain/return-path.ts';
import { pageLanguage, rememberLanguage } from '../auth/http/page-language.ts';
import { errors } from '../errors.ts';
import { isJobId } from '../jobs/domain/job/job.ts';
import { batch } from '../service.ts';
import { settings } from '../settings.ts';
import { type ApproverSession, approverSessions } from './approver-sessions.ts';
import { refusalPage, signInPage } from './pages/notice-pages.ts';

/** The person behind a request to the portal. */
export type Visitor = ApproverSession & {
  /** The value of the cookie, by which the session is found again. */
  readonly cookie: string;
  readonly language: Language;
};

/** Statuses of refusals, which a browser gets as a page. */
const REFUSALS = {
  400: PAGE,
  401: PAGE,
  403: PAGE,
  404: PAGE,
  409: PAGE,
  413: PAGE,
  415: PAGE,
  429: PAGE,
  500: PAGE,
  503: PAGE,
};

type Shape = z.ZodObject | undefined;
type BatchCode = Parameters<typeof errors.refuse>[0];
type BatchPolicy = keyof NonNullable<typeof batch.rates>;

/**
 * An endpoint of the portal: it takes the cookie of an approver and no other credential. A browser that has none is
 * shown how to sign in, and one that is refused a page that says why; a script gets the problem.
 * @example export const handler = portalEndpoint({ route: 'GET /approvals', … }, async (input, visitor) => page);
 */
export const portalEndpoint = <
  const Params extends Shape = undefined,
  const Query extends Shape = undefined,
  Body = undefined,
  const Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
>(
  declaration: Omit<
    Declaration<BatchCode, BatchPolicy, Params, Query, Body, Answers>,
    'access' | 'undocumented'
  >,
  run: (input: Input<Params, Query, Body>, visitor: Visitor) => Promise<Output<Answers>>,
): Endpoint =>
  batch.endpoint<Params, Query, (() => Promise<Body>) | undefined, Answers>(
    {
      ...declaration,
      // Nothing of a body is read before the session is known.
      body: declaration.body && deferredBody(declaration.body),
      answers: { ...REFUSALS, ...declaration.answers },
      refuses: ['auth.cross-origin', ...(declaration.refuses ?? [])],
      access: 'public',
      challenge: 'Cookie realm="approvals"',
      undocumented: true,
    },
    async (input) => {
      const language = pageLanguage(input);
      const isPage = accepts(input.headers.accept, 'text/html');
      try {
        const visitor = await findVisitor(input, language);
        if (!visitor && !isPage) throw errors.refuse('auth.invalid-credentials');
        if (!visitor) return rememberLanguage(await signInPage(language), input);
        await limitSession(visitor);
        const body = (await input.body?.()) as Body;
        const answer = await run({ ...input, body }, visitor);
        return isAnswer(answer) ? rememberLanguage(renewed(answer, visitor, isPage), input) : answer;
      } catch (error) {
        // An unexpected failure is logged with its cause by the framework, and answered as it says.
        const refusal = refusalOf(batch as unknown as Service, error);
        if (!isPage || refusal.code === 'internal') throw error;
        const page = await refusalPage(language, refusal);
        return { ...page, headers: { ...page.headers, ...refusal.headers } };
      }
    },
  );

// Two calls a second: more than a person makes who goes through a list, and less than a script that reads it all.
const CALLS_PER_MINUTE = 120;

/** Refuses a session that calls too often, whatever its address: the people of an office share one. */
async function limitSession({ cookie }: Visitor): Promise<void> {
  const client = createHash('sha256').update(cookie).digest('base64url');
  const window = {
    service: 'batch',
    policy: 'Portal',
    client,
    limit: CALLS_PER_MINUTE,
    windowSeconds: 60,
  } as const;
  refuseOverLimit(await hitInBlocks(window));
}

/** A page renews the cookie in the browser, as the visit renews the session. One that ends the session has its own. */
function renewed(answer: Answer, { cookie }: Visitor, isPage: boolean): Answer {
  const { name } = approverCookie(cookie);
  if (!isPage || answer.cookies.some((each) => each.name === name)) return answer;
  return { ...answer, cookies: [...answer.cookies, approverCookie(cookie)] };
}

type Visit = Pick<Input<undefined, undefined, undefined>, 'cookies' | 'headers' | 'method'>;

/** The person whose session the browser has. */
export async function findVisitor(
  { cookies, headers, method }: Visit,
  language: Language,
): Promise<Visitor | undefined> {
  // CSRF: browsers add the cookie to what other pages send.
  if (isChange(method) && isCrossOrigin(headers)) throw errors.refuse('auth.cross-origin');
  const cookie = cookies[settings['ApproverPortal:CookieName']];
  const session = cookie === undefined ? undefined : await approverSessions.use(cookie, Date.now());
  return session && cookie !== undefined ? { ...session, cookie, language } : undefined;
}

/** The job that a visitor comes from, to return to it. Anybody may have written it: it is the id of a job, or nothing. */
export const jobIn = ({ job }: Input<undefined, undefined, undefined>['query']): string | undefined =>
  typeof job === 'string' && isJobId(job) ? job : undefined;

/** Where a decision came from, for its record. @example decide({ …, ...senderOf(input) }, Date.now()) */
export const senderOf = ({ headers, clientAddress }: Sent) => ({
  ipAddress: clientAddress,
  userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_CHARACTERS),
});

type Sent = Pick<Input<undefined, undefined, undefined>, 'headers' | 'clientAddress'>;
const MAX_USER_AGENT_CHARACTERS = 512;

const DAY_SECONDS = 86_400;

/** The cookie of a session. The browser keeps it as long as a session that is not used lasts; every visit renews both. */
export const approverCookie = (value: string): Cookie => ({
  name: settings['ApproverPortal:CookieName'],
  value,
  path: basePath(),
  maxAge: value === '' ? 0 : settings['ApproverPortal:SessionDays'] * DAY_SECONDS,
});
