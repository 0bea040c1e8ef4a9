import type { OpenFile } from '../../../../shared/files/get.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { approverOf, isExpired, type JobApproval, tallyOf } from '../../jobs/domain/job/approval.ts';
import { type Job, requireJob, stagedKey } from '../../jobs/domain/job/job.ts';
import { withWorkInReach, workFiles } from '../../storage/domain/stores.ts';

/** A job that was parked, as those see it who may decide on it. */
export type VisibleJob = Stored<Job> & { readonly approval: JobApproval };

/**
 * The job with this id, if its frozen pool contains the person. Any other id is refused in the same way, so that nobody
 * learns of a job by its id.
 */
export async function requireVisibleJob(id: string, address: string): Promise<VisibleJob> {
  const job = await requireJob(id);
  const { approval } = job;
  if (!approval || !approverOf(approval, address)) throw errors.refuse('job.not-found');
  return { ...job, approval };
}

/** The staged copy, which is what will be signed; undefined once the job has ended. The caller reads or destroys it. */
export const openStaged = async (job: VisibleJob): Promise<OpenFile | undefined> =>
  withWorkInReach(async () => (await workFiles()).get(stagedKey(job)));

/** How a job stands, in the view of an approver. */
export type Standing = 'waiting' | 'released' | 'signed' | 'failed' | 'rejected' | 'expired' | 'canceled';

/** A window that has passed counts, whether its job was canceled already or not. */
export function standingOf(
  { state, isRejected, approval, updatedAtMs }: VisibleJob,
  nowMs: number,
): Standing {
  if (state === 'AwaitingApproval') return isExpired(approval, nowMs) ? 'expired' : 'waiting';
  if (state === 'Completed') return 'signed';
  if (state === 'Failed') return 'failed';
  if (state !== 'Canceled') return 'released';
  if (isRejected) return 'rejected';
  return !tallyOf(approval).quorumReached && isExpired(approval, updatedAtMs) ? 'expired' : 'canceled';
}
