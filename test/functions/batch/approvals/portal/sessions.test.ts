import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { portalLinkOf } from '../../../../../functions/batch/approvals/domain/portal-link.ts';
import { handler as decide } from '../../../../../functions/batch/approvals/endpoints/decide.ts';
import { handler as exportList } from '../../../../../functions/batch/approvals/endpoints/export-approvals.ts';
import { handler as getJob } from '../../../../../functions/batch/approvals/endpoints/get-approval-job.ts';
import { handler as getEnrolment } from '../../../../../functions/batch/approvals/endpoints/get-second-factor.ts';
import { handler as leave } from '../../../../../functions/batch/approvals/endpoints/leave-portal.ts';
import { handler as listDecided } from '../../../../../functions/batch/approvals/endpoints/list-decided.ts';
import { handler as listPending } from '../../../../../functions/batch/approvals/endpoints/list-pending.ts';
import { handler as openLink } from '../../../../../functions/batch/approvals/endpoints/open-link.ts';
import { handler as listJobs } from '../../../../../functions/batch/jobs/endpoints/list-jobs.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { givenSession, withCookie } from '../../auth/operator.ts';
import { ANA, BRUNO } from '../approval-stage.ts';
import { BROWSER, enterPortal, followLink, LINK_SECRET, portalStage, titleOf, tokenOf } from './visit.ts';

const DAY_MS = 86_400_000;

const stage = await forFile(portalStage());
beforeEach(() => {
  vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the link', () => {
  test('is exchanged for the cookie of a session, and leaves the address bar', async () => {
    expect(new URL(portalLinkOf('ANA@sandbox.example') ?? '').pathname).toBe(
      `/batch/approvals/link/${tokenOf(ANA.email)}`,
    );
    const { status, headers, cookies } = await followLink(tokenOf(ANA.email));
    expect([status, headers.location]).toEqual([303, '/batch/approvals']);
    expect(cookies[0]).toMatch(
      /^lbs-approver=[\w-]{43}; Max-Age=2592000; Path=\/batch; HttpOnly; SameSite=Lax$/,
    );
  });

  test('of a message leads to its job, and to no other place that somebody writes there', async () => {
    const jobId = randomUUID();
    const token = tokenOf(ANA.email);
    expect(portalLinkOf(ANA.email, jobId)).toMatch(new RegExp(`/link/${token}\\?job=${jobId}$`));
    const follow = (job: string) => call(openLink, { params: { token }, query: { job }, headers: BROWSER });
    expect((await follow(jobId)).headers.location).toBe(`/batch/approvals/jobs/${jobId}`);
    for (const wrong of ['//evil.example', '../../x', 'https://evil.example', ''])
      expect((await follow(wrong)).headers.location).toBe('/batch/approvals');
  });

  test.each([
    ['of another secret', () => tokenOf(ANA.email, 'another-approver-link-secret-000')],
    ['of an address that no profile has named', () => tokenOf('guessed@sandbox.example')],
    ['that is an address', () => ANA.email],
    ['that is cut', () => tokenOf(ANA.email).slice(0, -1)],
    ['that is empty', () => ''],
  ])('%s opens nothing, and does not say why', async (_, token) => {
    const { status, text, cookies } = await followLink(token());
    expect([status, titleOf(text), cookies]).toEqual([404, 'This link does not work', []]);
  });

  test.each(['application/json', '*/*'])(
    'that opens nothing is a problem with a code for a program that accepts %s',
    async (Accept) => {
      const { status, headers, json } = await followLink('wrong', { Accept });
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
      expect(json()).toMatchObject({ status: 404, code: 'approval.link-unknown' });
    },
  );

  test('of an office of one address opens after any number of decisions and links, and wrong ones have a count of their own', async () => {
    const address = randomUUID();
    const follow = (token: string) => call(openLink, { params: { token }, headers: BROWSER, address });
    for (let n = 0; n < 11; n += 1) {
      await call(decide, { params: { id: randomUUID() }, json: {}, address });
      expect((await follow(tokenOf(ANA.email))).status).toBe(303);
    }
    const wrong = tokenOf(ANA.email, 'another-approver-link-secret-000');
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await follow(wrong)).status);
    expect(statuses).toEqual([...Array(10).fill(404), 429]);
    const refused = await follow(wrong);
    expect([refused.headers['content-type'], refused.headers['retry-after']]).toEqual([
      'text/html; charset=utf-8',
      expect.stringMatching(/^\d+$/),
    ]);
    expect((await follow(tokenOf(ANA.email))).status).toBe(303);
  });

  test('is none where no secret is set: neither made nor accepted', async () => {
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    expect(portalLinkOf(ANA.email)).toBeUndefined();
    expect((await followLink(tokenOf(ANA.email, ''))).status).toBe(404);
    expect((await followLink(tokenOf(ANA.email))).status).toBe(404);
  });
});

describe('the session of an approver', () => {
  test('takes some 120 calls a minute, whatever the address, and others go on', async () => {
    // Within one window.
    stage.stopClock(Date.UTC(2030, 0, 1));
    const [ana, bruno] = [await enterPortal(ANA), await enterPortal(BRUNO)];
    const answers = [];
    for (let n = 0; n < 130; n++) answers.push(await ana.visit(listPending));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(10);
    expect(refused.at(-1)?.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.at(-1)?.text).toContain('rate-limited');
    const program = await ana.visit(listPending, { headers: { Accept: 'application/json' } });
    expect([program.status, program.json()]).toMatchObject([429, { code: 'rate-limited' }]);
    expect((await bruno.visit(listPending)).status).toBe(200);
  });

  test('lasts 30 days after its last use', async () => {
    const startMs = Date.now();
    stage.stopClock(startMs);
    const ana = await enterPortal(ANA);
    for (const days of [29, 58, 87]) {
      stage.stopClock(startMs + days * DAY_MS);
      expect((await ana.visit(listPending)).status).toBe(200);
    }
    stage.stopClock(startMs + 118 * DAY_MS);
    expect((await ana.visit(listPending)).status).toBe(401);
  });

  test('ends with another link secret, and when its person leaves', async () => {
    const ana = await enterPortal(ANA);
    vi.stubEnv('ApproverPortal__LinkSecret', 'another-approver-link-secret-000');
    expect((await ana.visit(listPending)).status).toBe(401);
    vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
    const { status, cookies } = await ana.visit(leave, { method: 'POST' });
    expect([status, cookies[0]]).toEqual([303, expect.stringContaining('lbs-approver=; Max-Age=0')]);
    expect((await ana.visit(listPending)).status).toBe(401);
  });

  test('is renewed in the browser by every page, and by nothing that a script gets', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    const renewal = `lbs-approver=${ana.cookie}; Max-Age=2592000; Path=/batch; HttpOnly; SameSite=Lax`;
    const own = async (answer: ReturnType<typeof ana.visit>) =>
      (await answer).cookies.filter((line) => line.startsWith('lbs-approver='));
    for (const handler of [listPending, listDecided, getEnrolment])
      expect(await own(ana.visit(handler))).toEqual([renewal]);
    for (const lang of ['en', 'pt-BR']) expect(await own(ana.job(job.id, { lang }))).toEqual([renewal]);
    expect(await own(ana.decide(job.id, { decision: 'approved' }))).toEqual([renewal]);
    const script = { Accept: 'application/json' };
    for (const [handler, params] of [
      [listPending, {}],
      [getJob, { id: job.id }],
      [getJob, { id: randomUUID() }],
      [exportList, { list: 'pending' }],
    ] as const)
      expect(await own(ana.visit(handler, { params, headers: script }))).toEqual([]);
    expect(await own(ana.visit(leave, { method: 'POST' }))).toEqual([
      'lbs-approver=; Max-Age=0; Path=/batch; HttpOnly; SameSite=Lax',
    ]);
    // A browser that still sends it is not given it back.
    expect(await own(ana.visit(listPending))).toEqual([]);
  });

  test('never opens a route of operators, not even in their cookie', async () => {
    const { cookie } = await enterPortal(ANA);
    for (const name of ['lbs-approver', 'lbs-auth']) {
      const headers = { Cookie: `${name}=${cookie}` };
      expect((await call(listJobs, { headers, address: randomUUID() })).status).toBe(401);
    }
  });

  test('is none of an operator: their cookie and their key open no page of the portal', async () => {
    const session = await givenSession();
    expect((await call(listJobs, withCookie(session))).status).toBe(200);
    for (const [name, value] of [
      ['Cookie', `lbs-auth=${session}`],
      ['Cookie', `lbs-approver=${session}`],
      ['X-API-Key', SANDBOX_KEY],
    ] as const) {
      const { status, text } = await call(listPending, { headers: { ...BROWSER, [name]: value } });
      expect([status, titleOf(text)]).toEqual([401, 'Sign in to see your approvals']);
    }
  });

  test.each([
    ['links', LINK_SECRET, undefined, ['Open the link']],
    ['a provider', '', 'https://idp.example', ['Sign in with your organization']],
    ['both', LINK_SECRET, 'https://idp.example', ['Open the link', 'Sign in with your organization']],
    ['neither', '', undefined, ['Nobody can sign in here yet. Ask whoever runs this service']],
  ])('is got as the page says, where there are %s', async (_, secret, authority, ways) => {
    vi.stubEnv('ApproverPortal__LinkSecret', secret);
    vi.stubEnv('Idp__Authority', authority);
    const { text } = await call(listPending, { headers: BROWSER });
    vi.stubEnv('Idp__Authority', undefined);
    const all = ['Open the link', 'Sign in with your organization', 'Nobody can sign in here yet'];
    for (const way of ways) expect(text).toContain(way);
    expect(all.filter((way) => text.includes(way))).toHaveLength(ways.length);
  });

  test('is asked of a program by a problem, not by a page', async () => {
    const { status, json } = await call(listPending, { headers: { Accept: 'application/json' } });
    expect([status, json()]).toMatchObject([401, { code: 'auth.invalid-credentials' }]);
  });
});
