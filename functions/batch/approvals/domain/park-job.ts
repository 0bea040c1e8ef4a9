import { announcing } from '../../../../shared/mail/queue.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { JobFailure } from '../../jobs/domain/engine/end-job.ts';
import type { Progress } from '../../jobs/domain/engine/run-claimed.ts';
import { releasingSlot } from '../../jobs/domain/engine/slots.ts';
import { expiryOf, type JobApproval } from '../../jobs/domain/job/approval.ts';
import { listingPending } from '../../jobs/domain/job/approver-lists.ts';
import type { Job, MeasuredFile } from '../../jobs/domain/job/job.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import { expiringApproval } from '../../jobs/domain/job/tasks.ts';
import { counting } from '../../operations/domain/metrics.ts';
import type { Approval } from '../../profiles/domain/profile.ts';
import { say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import { writePaymentsIndex } from './payments-index/write-index.ts';
import { recordingContent } from './same-content.ts';

// The way of a job with an approval rule:
//
//   Queued -- Processing -- staged, gates -- AwaitingApproval -- quorum -- Queued -- Processing -- gates again -- signed
//                                              |-- a rejection, an operator, the window: Canceled
//
// The staged copy waits in processing/. It is signed at the end, if it still has the hash that people approved.

/** A staged file that passed its gates, with its copy on this worker's disk and the folder of that. */
type Parked = {
  readonly cnab240: Job['cnab240'];
  readonly measured: MeasuredFile;
  readonly path: string;
  readonly folder: string;
};

/** Parks a job that passed its gates: rule, pool and content hash are frozen with it. */
export async function parkJob(
  progress: Progress,
  rule: Approval,
  { cnab240, measured: staged, path, folder }: Parked,
  nowMs: number,
): Promise<void> {
  const { job, slot } = progress;
  if (!cnab240) throw new JobFailure('approval.content-unmeasured');
  const { contentSha256 } = cnab240;
  const paymentsIndex = await writePaymentsIndex(job, { path, folder, contentSha256 });
  const approval: JobApproval = {
    quorum: rule.quorum,
    signerSet: rule.signerSet,
    approvers: rule.approvers,
    contentSha256,
    ...(paymentsIndex && { paymentsIndex }),
    parkedAtMs: nowMs,
    expiresAfterSeconds: rule.expiresAfterSeconds ?? null,
    decisions: [],
  };
  const { after, writes } = movingJob(
    job,
    {
      event: 'approvalRequired',
      message: say('job.waits-for-approvers', { quorum: rule.quorum, count: rule.approvers.length }),
      patch: { approval, cnab240, staged },
    },
    nowMs,
  );
  const expiresAtMs = expiryOf(approval);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...listingPending({ ...job, cnab240 }, approval),
    recordingContent(job, approval),
    counting('bulk_jobs_parked_for_approval_total', { profile: job.profileName }),
    ...(expiresAtMs === null ? [] : [expiringApproval(job.id, expiresAtMs)]),
    ...announcing('batch', settings, { jobId: job.id }, job.id),
  ]);
  progress.job = after;
}
