import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { sessionIn } from '../../auth/http/session-cookie.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { batch } from '../../service.ts';
import { finishAuthorization } from '../domain/cloud/finish-authorization.ts';
import { profilePath } from '../pages/cloud-authorization-page.ts';

// To write what the hub has answered, and to answer.
const RESERVE_MS = 5_000;

// Sessions of our hub have 43 characters.
const MAX_SESSION_CHARACTERS = 4_096;

// The address has the hub's session, which signs.
const HEADERS = { 'referrer-policy': 'no-referrer' };

/** Where the hub sends an operator back to. It takes the cookie of the operator who began, and never a key. */
export const handler = batch.endpoint(
  {
    route: 'GET /cloud-certificates/return',
    summary: 'Where a hub sends operators back',
    answers: { 303: REDIRECT },
    access: 'public',
    rate: 'Actions',
    streams: true,
    undocumented: true,
  },
  async ({ query, cookies, deadlineAtMs }) => {
    const operatorCookie = sessionIn(cookies) ?? '';
    const operator = await operatorSessions.use(operatorCookie, Date.now());
    if (!operator) return redirect(`${basePath()}/login`, { status: 303, headers: HEADERS });
    const returned = { session: sessionOf(query), operatorCookie, by: operator.by ?? 'operator' };
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const { profileName, problem } = await finishAuthorization(returned, deadline);
    return redirect(profilePath(profileName, problem ?? 'authorized'), { status: 303, headers: HEADERS });
  },
);

/** Parameter pollution: a session that is given twice is none. */
function sessionOf({ session }: Readonly<Record<string, string | string[]>>): string | undefined {
  const isOne = typeof session === 'string' && session !== '' && session.length <= MAX_SESSION_CHARACTERS;
  return isOne ? session : undefined;
}
