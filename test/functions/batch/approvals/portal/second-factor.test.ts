import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  requireVerified,
  type SecondFactorOutcome,
} from '../../../../../functions/batch/approvals/domain/second-factor/require-verified.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ANA } from '../approval-stage.ts';
import { enterPortal, portalStage } from './visit.ts';

// The pages for each outcome. How an outcome comes about is tested with the second factor itself.
vi.mock(
  import('../../../../../functions/batch/approvals/domain/second-factor/require-verified.ts'),
  async (original) => ({ ...(await original()), requireVerified: vi.fn() }),
);

const stage = await forFile(portalStage());
beforeEach(() => {
  vi.mocked(requireVerified).mockReset();
});

const answer = (outcome: SecondFactorOutcome) => vi.mocked(requireVerified).mockResolvedValue(outcome);

describe('with a second factor, the page of a job', () => {
  test('has a field for a code in each form while one is needed, and none while none is', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    answer('code-required');
    expect((await ana.job(job.id)).text.match(/name="code"/g)).toHaveLength(2);
    answer('verified');
    expect((await ana.job(job.id)).text).not.toContain('name="code"');
  });

  test('leads somebody who is not enrolled to the enrolment', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    answer('not-enrolled');
    const { text } = await ana.job(job.id);
    expect(text).toContain(`href="/batch/approvals/second-factor?job=${job.id}"`);
    expect(text).not.toContain('name="decision"');
    const { status, headers } = await ana.decide(job.id, { decision: 'approved' });
    expect([status, headers.location]).toEqual([303, `/batch/approvals/second-factor?job=${job.id}`]);
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
  });

  test.each([
    ['code-required', 'Type the code of your authenticator app.'],
    ['approval.second-factor-invalid-code', 'The code is wrong'],
    ['approval.second-factor-locked-out', 'Too many wrong codes'],
  ] as const)(
    'shows %s at the field of the form that was sent, and keeps the reason',
    async (outcome, words) => {
      const job = await stage.parked();
      const ana = await enterPortal(ANA);
      answer(outcome);
      const { status, text } = await ana.decide(job.id, {
        decision: 'rejected',
        reason: 'No.',
        code: '000000',
      });
      expect(status).toBe(403);
      expect(text).toContain(
        'aria-describedby="code-rejected-problem code-rejected-hint" aria-invalid="true"',
      );
      expect(text).not.toContain('code-approved-problem');
      expect(text).toContain(words);
      expect(text).toContain('No.</textarea>');
      expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    },
  );

  test('spends no code on a form that lacks something else', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    answer('verified');
    await ana.decide(job.id, { decision: 'rejected', reason: '', code: '123456' });
    const codes = () => vi.mocked(requireVerified).mock.calls.map(([{ code }]) => code);
    expect(codes()).not.toContain('123456');
    await ana.decide(job.id, { decision: 'rejected', reason: 'No.', code: ' 123456 ' });
    expect(codes()).toContain('123456');
    expect((await stage.job(job.id)).state).toBe('Canceled');
  });
});
