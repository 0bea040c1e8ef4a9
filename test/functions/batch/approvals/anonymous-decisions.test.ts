import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as decide } from '../../../../functions/batch/approvals/endpoints/decide.ts';
import { handler as cancel } from '../../../../functions/batch/jobs/endpoints/cancel-job.ts';
import { handler as retry } from '../../../../functions/batch/jobs/endpoints/retry-job.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask } from '../jobs/operator.ts';
import { ANA, approvalStage, BRUNO } from './approval-stage.ts';

const stage = await forFile(approvalStage());
afterEach(() => {
  vi.useRealTimers();
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
});

const post = (id: string, request: Request) =>
  call(decide, { method: 'POST', params: { id }, address: randomUUID(), ...request });
const codeOf = async (answer: ReturnType<typeof post>) => {
  const { status, json } = await answer;
  return [status, (json() as { code?: string }).code];
};

describe('POST /api/approvals/{id}', () => {
  test('takes ten calls of a minute from one address; the next is 429 rate-limited, and operators go on', async () => {
    const job = await stage.parked();
    const address = '203.0.113.90';
    stage.stopClock(Date.now());
    for (let number = 0; number < 10; number++)
      expect(await codeOf(post(job.id, { json: { email: `guess-${number}@x.example` }, address }))).toEqual([
        403,
        'approval.unknown-approver',
      ]);
    const limited = await post(job.id, { json: { email: ANA.email }, address });
    expect([limited.status, (limited.json() as { code: string }).code]).toEqual([429, 'rate-limited']);
    const retryAfter = Number(limited.headers['Retry-After'] ?? limited.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    // It counts the address, not the job.
    expect((await post('another', { json: { email: ANA.email }, address })).status).toBe(429);
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    // Operators at that address have a limit of their own, and other approvers theirs.
    expect((await ask(retry, { method: 'POST', params: { id: job.id }, address })).status).toBe(409);
    expect((await post(job.id, { json: { email: BRUNO.email } })).status).toBe(200);
    expect((await ask(cancel, { method: 'POST', params: { id: job.id }, json: {}, address })).status).toBe(
      200,
    );
    vi.setSystemTime(Date.now() + retryAfter * 1_000 + 1);
    expect(await codeOf(post(job.id, { json: { email: ANA.email }, address }))).toEqual([
      409,
      'approval.not-pending',
    ]);
  });

  test('actions of operators do not spend it', async () => {
    const job = await stage.parked();
    const address = '203.0.113.91';
    stage.stopClock(Date.now());
    for (let number = 0; number < 11; number++)
      expect((await ask(retry, { method: 'POST', params: { id: job.id }, address })).status).toBe(409);
    expect((await post(job.id, { json: { email: ANA.email }, address })).status).toBe(200);
  });

  test('takes a reason that is null as none', async () => {
    const { id } = await stage.parked();
    const answer = await post(id, { json: { email: ANA.email, decision: 'rejected', reason: null } });
    expect([answer.status, answer.json()]).toMatchObject([200, { reason: null, terminated: true }]);
  });

  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const CROSS_SITE = { ...FORM, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const HTML = { ...FORM, Accept: 'text/html' };
  const CALLS: readonly [string, Request][] = [
    ['a decision', { json: { email: ANA.email } }],
    ['a rejection', { json: { email: ANA.email, decision: 'rejected' } }],
    ['no body', {}],
    ['an empty body', { body: '', headers: { 'Content-Type': 'application/json' } }],
    ['bad JSON', { body: '{"email":', headers: { 'Content-Type': 'application/json' } }],
    ['JSON of another shape', { json: [1, 2] }],
    ['an unknown decision', { json: { email: ANA.email, decision: 'maybe' } }],
    ['another media type', { body: '<email/>', headers: { 'Content-Type': 'application/xml' } }],
    ['no media type', { body: '{}', headers: {} }],
    ['a form of another site', { body: `email=${ANA.email}`, headers: CROSS_SITE }],
  ];

  describe('with the second factor enabled is 403 approval.second-factor-required', () => {
    test.each(CALLS)('%s', async (_, request) => {
      const { id } = await stage.parked();
      vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
      const refused = [403, 'approval.second-factor-required'];
      expect(await codeOf(post(id, request))).toEqual(refused);
      expect(await codeOf(post('no-such-job', request))).toEqual(refused);
      expect(await stage.job(id)).toMatchObject({ state: 'AwaitingApproval', approval: { decisions: [] } });
    });

    test('a page of the form: it says so, and records nothing', async () => {
      const { id } = await stage.parked();
      vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
      const { status, headers } = await post(id, { body: `email=${ANA.email}`, headers: HTML });
      expect([status, headers['Content-Type'] ?? headers['content-type']]).toEqual([
        403,
        expect.stringContaining('text/html'),
      ]);
      expect((await stage.job(id)).approval?.decisions).toEqual([]);
    });
  });

  test.each([[null], [5], [true], [[]], [{}], [''], ['Approved'], ['approved ']])(
    'refuses the decision %j with approval.unknown-decision',
    async (decision) => {
      const { id } = await stage.parked();
      const refused = [400, 'approval.unknown-decision'];
      expect(await codeOf(post(id, { json: { email: ANA.email, decision } }))).toEqual(refused);
      // Before the job is looked for, and before the address is.
      expect(await codeOf(post('no-such-job', { json: { email: 'x', decision } }))).toEqual(refused);
      expect((await stage.job(id)).approval?.decisions).toEqual([]);
    },
  );

  test.each([
    ['of 5,000 characters', `${'a'.repeat(4_987)}@x.example.br`],
    ['of 5,000 characters that begins as one of the pool', ANA.email.padEnd(5_000, 'x')],
    ['with a line break', `${ANA.email}\r\nBcc: eve@x.example`],
    ['that is empty', ''],
  ])('refuses an address %s with approval.unknown-approver', async (_, email) => {
    const { id } = await stage.parked();
    expect(await codeOf(post(id, { json: { email } }))).toEqual([403, 'approval.unknown-approver']);
    expect((await stage.job(id)).approval?.decisions).toEqual([]);
  });
});
