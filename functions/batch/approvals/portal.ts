import { createHash } from 'node:crypto';
import type { Call } from '../../../shared/http/call.ts';
import type { Input } from '../../../shared/http/declaration.ts';
import { refuseOverLimit } from '../../../shared/http/middleware/limit-rate.ts';
import { pageEndpoint } from '../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../shared/http/request/accepts.ts';
import type { Answer, Cookie } from '../../../shared/http/response/answer.ts';
import { hitInBlocks } from '../../../shared/store/rate-window.ts';
import type { Language } from '../../../shared/ui/languages.ts';
import { basePath } from '../auth/domain/return-path.ts';
import { pageLanguage, rememberLanguage } from '../auth/http/page-language.ts';
import { isJobId } from '../jobs/domain/job/job.ts';
import { batch } from '../service.ts';
import { settings } from '../settings.ts';
import { type ApproverSession, approverSessions } from './approver-sessions.ts';
import { refusalPage, signInPage } from './pages/notice-pages.ts';

/** A session, and the value of the cookie by which it is found again. */
type Approver = ApproverSession & { readonly cookie: string };

/** The person behind a request to the portal. */
export type Visitor = Approver & { readonly language: Language };

/** The person whose session the browser has. */
export async function findApprover(
  { cookies }: Pick<Call, 'cookies'>,
  nowMs: number,
): Promise<Approver | undefined> {
  const cookie = cookies[settings['ApproverPortal:CookieName']];
  const session = cookie === undefined ? undefined : await approverSessions.use(cookie, nowMs);
  return session && cookie !== undefined ? { ...session, cookie } : undefined;
}

/**
 * An endpoint of the portal: it takes the cookie of an approver and no other credential. A browser that has none is
 * shown how to sign in, and one that is refused a page that says why; a script gets the problem.
 * @example export const handler = portalEndpoint({ route: 'GET /approvals', … }, async (input, visitor) => page);
 */
export const portalEndpoint = pageEndpoint(batch, {
  language: pageLanguage,
  visitors: {
    async find(call, nowMs) {
      const approver = await findApprover(call, nowMs);
      if (approver) await limitSession(approver);
      return approver;
    },
    without: (_, language) => signInPage(language),
    challenge: 'Cookie realm="approvals"',
  },
  refusalPage: (refusal, { language }) => refusalPage(language, refusal),
  finish: (answer, call, approver) =>
    rememberLanguage(approver ? renewed(answer, approver, call) : answer, call),
});

// Two calls a second: more than a person makes who goes through a list, and less than a script that reads it all.
const CALLS_PER_MINUTE = 120;

/** Refuses a session that calls too often, whatever its address: the people of an office share one. */
async function limitSession({ cookie }: Approver): Promise<void> {
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
function renewed(answer: Answer, { cookie }: Approver, { headers }: Call): Answer {
  const { name } = approverCookie(cookie);
  if (!accepts(headers.accept, 'text/html') || answer.cookies.some((each) => each.name === name))
    return answer;
  return { ...answer, cookies: [...answer.cookies, approverCookie(cookie)] };
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
