import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { hubSessionIn } from '../../../../shared/hub/cloud.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { sessionIn } from '../../auth/http/session-cookie.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { batch } from '../../service.ts';
import { finishAuthorization } from '../domain/cloud/finish-authorization.ts';
import { profilePath } from '../pages/cloud-authorization-page.ts';

// To write what the hub has answered, and to answer.
const RESERVE_MS = 5_000;

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
    const returned = { session: hubSessionIn(query), operatorCookie, by: operator.by ?? 'operator' };
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const { profileName, problem } = await finishAuthorization(returned, deadline);
    return redirect(profilePath(profileName, problem ?? 'authorized'), { status: 303, headers: HEADERS });
  },
);
