import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { settleFiles } from '../../jobs/domain/engine/settle-files.ts';
import {
  approverOf,
  type Decision,
  decisionOf,
  type IdentificationMethod,
  isExpired,
  type JobApproval,
  tallyOf,
  type Verdict,
} from '../../jobs/domain/job/approval.ts';
import { listingDecided, unlistingPending } from '../../jobs/domain/job/approver-lists.ts';
import { wakeWorker } from '../../jobs/domain/job/create-job.ts';
import { type Job, jobs, requireJob } from '../../jobs/domain/job/job.ts';
import { movingJob, withHistory } from '../../jobs/domain/job/move-job.ts';
import { OutputTaken, releasingNames, reservingOutput } from '../../jobs/domain/job/names.ts';
import { rejectedNameOf } from '../../jobs/domain/job/output-names.ts';
import { settlingMessage } from '../../jobs/domain/job/tasks.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { ofFile, say } from '../../sentences/sentences.ts';
import { expireApproval } from './expire-approval.ts';

/** A decision as it was made, by somebody who was known in one of three ways. */
export type DecisionRequest = {
  readonly jobId: string;
  readonly email: string;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly method: IdentificationMethod;
  readonly ipAddress: string;
  readonly userAgent: string;
  /** The writes that keep the approver's signature, where they signed. Called anew at every attempt. */
  readonly signature?: () => Promise<readonly Write[]>;
};

export type Decided = {
  readonly job: Stored<Job>;
  readonly approval: JobApproval;
  readonly decision: Decision;
};

// Decisions of one moment meet on the job. Each expects the version that it read, and the slower one reads again:
//
//   ana     |--reads: 0 of 2-- 1 of 2 --|
//   bruno   |--reads: 0 of 2---- refused, reads: 1 of 2 ---- 2 of 2, Queued --|
//
// A worker claims Queued jobs only, and a decision is made of AwaitingApproval jobs only: so no rejection comes after a
// claim.

/** Records a decision with its effects, in one write: the release of the job, its veto, or neither. */
export async function decide(request: DecisionRequest, nowMs: number): Promise<Decided> {
  const decided = await retryOnConflict(() => decideOnce(request, nowMs));
  if (decided.job.state === 'Queued') await wakeWorker(decided.job.id);
  // The sweeper does it where this fails.
  if (decided.job.state === 'Canceled') await settleFiles(decided.job, nowMs).catch(() => undefined);
  return decided;
}

async function decideOnce(request: DecisionRequest, nowMs: number): Promise<Decided> {
  const job = await requireJob(request.jobId);
  const approval = await requirePending(job, nowMs);
  const approver = approverOf(approval, request.email);
  if (!approver) throw errors.refuse('approval.unknown-approver');
  if (decisionOf(approval, request.email)) throw errors.refuse('approval.already-decided');
  const isSigned = request.signature !== undefined;
  if (request.verdict === 'approved' && approval.signerSet !== 'Profile' && !isSigned)
    throw errors.refuse('approval.signature-required');
  const { verdict, reason, method, ipAddress, userAgent } = request;
  const { contentSha256 } = approval;
  const decision: Decision = {
    ...{ approver, verdict, reason, method, isSigned, contentSha256, decidedAtMs: nowMs },
    ...{ ipAddress, userAgent },
  };
  const after = { ...approval, decisions: [...approval.decisions, decision] };
  const recorded = [
    ...recording(job, decision, nowMs),
    ...listingDecided(job, after, decision),
    ...((await request.signature?.()) ?? []),
  ];
  const write = verdict === 'approved' ? approve : reject;
  return { job: await write(job, after, { decision, recorded }, nowMs), approval: after, decision };
}

/** The frozen rule of a job that waits. One whose window has passed is canceled first. */
async function requirePending(job: Stored<Job>, nowMs: number): Promise<JobApproval> {
  const { state, approval } = job;
  if (state === 'AwaitingApproval' && !approval?.contentSha256)
    throw errors.refuse('approval.job-incomplete');
  if (state !== 'AwaitingApproval' || !approval)
    throw errors.refuse('approval.not-pending', { status: state });
  if (!isExpired(approval, nowMs)) return approval;
  const expired = await expireApproval(job.id, nowMs);
  throw errors.refuse('approval.not-pending', { status: expired ?? state });
}

const recording = ({ id: jobId, fileName, profileName }: Job, decision: Decision, nowMs: number): Write[] => {
  const { approver, verdict, reason } = decision;
  const type = verdict === 'approved' ? 'ApprovalRecorded' : 'ApprovalRejected';
  const { name } = approver;
  const text = reason ? say(`event.${verdict}-because`, { name, reason }) : say(`event.${verdict}`, { name });
  const message = ofFile(fileName, text);
  return [
    ...recordingEvent({ type, message, jobId, profileName, by: approver.email }, nowMs),
    counting('bulk_approvals_recorded_total', { profile: profileName }),
  ];
};

/** A decision, and the writes that record it. */
type Recorded = { readonly decision: Decision; readonly recorded: readonly Write[] };

async function approve(
  job: Stored<Job>,
  approval: JobApproval,
  { decision, recorded }: Recorded,
  nowMs: number,
): Promise<Stored<Job>> {
  const { approved, required, quorumReached } = tallyOf(approval);
  const message = say('job.approved-by', { name: decision.approver.name, approved, required });
  if (!quorumReached) {
    const change = jobs.changing(job, { approval, ...withHistory(job, job.state, message, nowMs) });
    await commit([change, ...recorded]);
    return change.after;
  }
  const { after, writes } = movingJob(job, { event: 'approved', message, patch: { approval } }, nowMs);
  await commit([
    ...writes,
    ...recorded,
    ...unlistingPending(after),
    counting('bulk_jobs_released_by_approval_total', { profile: job.profileName }),
  ]);
  return after;
}

/** A veto, whatever the quorum. The file goes back to output/ under a name of its own, or to error/ where that is taken. */
async function reject(
  job: Stored<Job>,
  approval: JobApproval,
  { decision, recorded }: Recorded,
  nowMs: number,
): Promise<Stored<Job>> {
  const { approver, reason } = decision;
  const { id: jobId, fileName, profileName } = job;
  const message = reason
    ? say('job.rejected-because', { name: approver.name, reason })
    : say('job.rejected-by', { name: approver.name });
  const cancel = async (outputName: string | null): Promise<Stored<Job>> => {
    const patch = { approval, isRejected: true, outputName };
    const { after, writes } = movingJob(job, { event: 'rejectedByApprover', message, patch }, nowMs);
    await commit([
      ...writes,
      ...releasingNames(job),
      ...(outputName === null ? [] : [reservingOutput(outputName, jobId)]),
      ...recorded,
      ...unlistingPending(after),
      ...recordingEvent(
        { type: 'JobCanceled', message: ofFile(fileName, message), jobId, profileName },
        nowMs,
      ),
      counting('bulk_approvals_rejected_total', { profile: profileName }),
      settlingMessage(jobId, { isFallback: true }),
    ]);
    return after;
  };
  try {
    return await cancel(rejectedNameOf(fileName));
  } catch (error) {
    if (error instanceof OutputTaken) return cancel(null);
    throw error;
  }
}
