import { describe, expect, test } from 'vitest';
import { decide } from '../../../../functions/batch/approvals/domain/decide.ts';
import type { Verdict } from '../../../../functions/batch/jobs/domain/job/approval.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import { forFile } from '../../../runner/for-file.ts';
import { letInFirst } from '../../let-in-first.ts';
import { ANA, type ApprovalStage, approvalStage, BRUNO, CARLA } from './approval-stage.ts';

// approval.rejected is the code of a job that a worker has, and that an approver rejects then. It cannot happen here: a
// worker claims Queued jobs, a decision is made of AwaitingApproval jobs, and both expect the version that they read.
//
//   worker   |--reads Queued------------------------- claims: Processing --|
//   carla                     |--rejects: not pending--|
//
//   carla    |--reads AwaitingApproval------------------------------- rejects: refused, reads again: not pending --|
//   others                     |--bruno: quorum, Queued--worker claims--|
//
//   carla    |--reads AwaitingApproval----------------------- rejects: Canceled --|
//   worker                     |--claims: nothing is queued--|
//
// In each order one of the two is refused, and never both.

const stage = await forFile(approvalStage());

const counters = async () => ({
  recorded: await stage.counted('bulk_approvals_recorded_total{profile="aprovacao"}'),
  rejected: await stage.counted('bulk_approvals_rejected_total{profile="aprovacao"}'),
  released: await stage.counted('bulk_jobs_released_by_approval_total{profile="aprovacao"}'),
});

/** Decides, and answers the state that the job has then, or the code of the refusal. */
const verdictOf = (jobId: string, { email }: { readonly email: string }, verdict: Verdict) =>
  decide(
    { jobId, email, verdict, reason: null, method: 'LinkDerivedEmail', ipAddress: '', userAgent: '' },
    Date.now(),
  ).then(
    ({ job }) => job.state,
    ({ code }: Refusal) => code,
  );

/** A job that Ana has approved: one more approval releases it. */
const halfApproved = async () => {
  const { id } = await stage.parked();
  await verdictOf(id, ANA, 'approved');
  return id;
};

const expectSigned = async (id: string, claimed: Awaited<ReturnType<ApprovalStage['claim']>>) => {
  expect(claimed?.job.id).toBe(id);
  if (claimed) await stage.process(claimed);
  const { state, errorCode, isRejected, approval } = await stage.job(id);
  expect({ state, errorCode, isRejected }).toEqual({
    state: 'Completed',
    errorCode: null,
    isRejected: false,
  });
  expect(approval?.decisions.map(({ verdict }) => verdict)).toEqual(['approved', 'approved']);
};

describe('a claim and a decision exclude each other', () => {
  test.each(['rejected', 'approved'] as const)(
    'a decision (%s) between the read of a worker and its claim is refused, and the job is signed',
    async (verdict) => {
      const id = await halfApproved();
      expect(await verdictOf(id, BRUNO, 'approved')).toBe('Queued');
      const before = await counters();
      let late: string | undefined;
      letInFirst(async () => {
        late = await verdictOf(id, CARLA, verdict);
      });
      const claimed = await stage.claim();
      expect(late).toBe('approval.not-pending');
      await expectSigned(id, claimed);
      expect(await counters()).toEqual(before);
    },
  );

  test.each(['rejected', 'approved'] as const)(
    'a release and a claim between the read of a decision (%s) and its write: the decision is refused',
    async (verdict) => {
      const id = await halfApproved();
      const before = await counters();
      let claimed: Awaited<ReturnType<ApprovalStage['claim']>>;
      letInFirst(async () => {
        expect(await verdictOf(id, BRUNO, 'approved')).toBe('Queued');
        claimed = await stage.claim();
      });
      expect(await verdictOf(id, CARLA, verdict)).toBe('approval.not-pending');
      await expectSigned(id, claimed);
      const { recorded, rejected, released } = await counters();
      expect([recorded - before.recorded, rejected - before.rejected, released - before.released]).toEqual([
        1, 0, 1,
      ]);
    },
  );

  test('a claim alone between the read of a veto and its write finds nothing, and the veto stands', async () => {
    const id = await halfApproved();
    const before = await counters();
    let claimed: unknown = 'not tried';
    letInFirst(async () => {
      claimed = await stage.claim();
    });
    expect(await verdictOf(id, CARLA, 'rejected')).toBe('Canceled');
    expect([claimed, await stage.claim()]).toEqual([undefined, undefined]);
    expect(await stage.job(id)).toMatchObject({ state: 'Canceled', isRejected: true, errorCode: null });
    expect((await counters()).rejected).toBe(before.rejected + 1);
  });

  //   worker   |--reads Queued------------------------------------------ claims: the job has changed, race lost --|
  //   others                    |--another worker claims, signs--|
  test('a claim that comes after another one takes no job, and no decision comes between', async () => {
    const id = await halfApproved();
    expect(await verdictOf(id, BRUNO, 'approved')).toBe('Queued');
    let first: Awaited<ReturnType<ApprovalStage['claim']>>;
    letInFirst(async () => {
      first = await stage.claim();
    });
    expect(await stage.claim()).toBeUndefined();
    expect(await verdictOf(id, CARLA, 'rejected')).toBe('approval.not-pending');
    await expectSigned(id, first);
  });

  test('no state of a job takes both', () => {
    const decisions = ['approved', 'rejectedByApprover'] as const;
    const taking = jobStates.states.map((state) => ({
      isClaimed: jobStates.accepts(state, 'pickedUp'),
      isDecided: decisions.some((event) => jobStates.accepts(state, event)),
    }));
    expect(taking.filter(({ isClaimed }) => isClaimed)).toHaveLength(1);
    expect(taking.filter(({ isDecided }) => isDecided)).toHaveLength(1);
    expect(taking.filter(({ isClaimed, isDecided }) => isClaimed && isDecided)).toEqual([]);
  });
});
