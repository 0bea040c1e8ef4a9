import { senderOf } from '../../../../shared/queue/outbox.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { sendNow } from '../../../../shared/store/due/message.ts';
import { expiryOf, type JobApproval } from '../../jobs/domain/job/approval.ts';
import { listingPending } from '../../jobs/domain/job/approver-lists.ts';
import { JobFailure } from '../../jobs/domain/job/end-job.ts';
import type { Job } from '../../jobs/domain/job/job.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import type { Progress } from '../../jobs/domain/job/run-claimed.ts';
import { releasingSlot } from '../../jobs/domain/job/slots.ts';
import { expiringApproval } from '../../jobs/domain/job/tasks.ts';
import { counting } from '../../operations/domain/metrics.ts';
import type { Approval } from '../../profiles/domain/profile.ts';
import { announcingJob } from './mail/mail-queue.ts';

// The way of a job with an approval rule:
//
//   Queued -- Processing -- staged, gates -- AwaitingApproval -- quorum -- Queued -- Processing -- gates again -- signed
//                                              |-- a rejection, an operator, the window: Canceled
//
// The staged copy waits in processing/. It is signed at the end, if it still has the hash that people approved.

/** Parks a job that passed its gates: rule, pool and content hash are frozen with it. */
export async function parkJob(
  progress: Progress,
  rule: Approval,
  { cnab240, staged }: Pick<Job, 'cnab240' | 'staged'>,
  nowMs: number,
): Promise<void> {
  const { job, slot } = progress;
  if (!cnab240) throw new JobFailure('approval.content-unmeasured');
  const approval: JobApproval = {
    quorum: rule.quorum,
    signerSet: rule.signerSet,
    approvers: rule.approvers,
    contentSha256: cnab240.contentSha256,
    parkedAtMs: nowMs,
    expiresAfterSeconds: rule.expiresAfterSeconds ?? null,
    decisions: [],
  };
  const { after, writes } = movingJob(
    job,
    {
      event: 'approvalRequired',
      message: `Waits for ${rule.quorum} of ${rule.approvers.length} approvers.`,
      patch: { approval, cnab240, staged },
    },
    nowMs,
  );
  const expiresAtMs = expiryOf(approval);
  const announcement = announcingJob(job.id);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...listingPending({ ...job, cnab240 }, approval),
    counting('bulk_jobs_parked_for_approval_total', { profile: job.profileName }),
    ...(expiresAtMs === null ? [] : [expiringApproval(job.id, expiresAtMs)]),
    ...announcement,
  ]);
  progress.job = after;
  await sendNow(announcement, senderOf('batch'));
}
