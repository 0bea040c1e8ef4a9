import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { failJob, JobFailure } from '../../../../functions/batch/jobs/domain/engine/end-job.ts';
import { settleFiles } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { type ClaimedJob, releasingSlot } from '../../../../functions/batch/jobs/domain/engine/slots.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { movingJob } from '../../../../functions/batch/jobs/domain/job/move-job.ts';
import { releasingNames } from '../../../../functions/batch/jobs/domain/job/names.ts';
import type { JobState } from '../../../../functions/batch/jobs/domain/job/states.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import type { Stage } from '../stage.ts';

export const OPERATOR = { application: 'operator', keyId: 'k1', permissions: [], registered: {} };

/** Jobs that the domain has taken to a state. Only one is queued at a time: a claim takes any of the oldest. */
export function jobsInState(stage: Stage) {
  const queued = async (name: string, options: { profile?: string } = {}): Promise<Job> =>
    stage.upload(name, `The content of ${name}.`, options);

  const claimed = async (name: string, options?: { profile?: string }): Promise<ClaimedJob> => {
    const { id } = await queued(name, options);
    const claim = await stage.claim();
    if (claim?.job.id !== id) throw new Error(`The job of ${name} was not the one that was claimed.`);
    return claim;
  };

  const failed = async (name: string, options?: { profile?: string }): Promise<Job> => {
    const claim = await claimed(name, options);
    const failure = new JobFailure('job.signing-failed');
    await settleFiles(await failJob(claim, failure, { hasNoOutput: true }, Date.now()), Date.now());
    return stage.job(claim.job.id);
  };

  const completed = async (name: string, options?: { profile?: string }): Promise<Job> => {
    const claim = await claimed(name, options);
    await stage.process(claim);
    const job = await stage.job(claim.job.id);
    if (job.state !== 'Completed') throw new Error(`${name}: ${job.errorMessage}`);
    return job;
  };

  const canceled = async (name: string): Promise<Job> =>
    cancelJob(OPERATOR, { id: (await queued(name)).id }, Date.now());

  const waiting = async (name: string, event: 'approvalRequired' | 'dispatched'): Promise<Stored<Job>> => {
    const { job, slot } = await claimed(name);
    const { after, writes } = movingJob(job, { event, message: 'Waits.' }, Date.now());
    await commit([...writes, releasingSlot(slot)]);
    return after;
  };

  /** An approver said no. */
  const rejected = async (name: string): Promise<Job> => {
    const job = await waiting(name, 'approvalRequired');
    const step = {
      event: 'rejectedByApprover',
      message: 'Rejected.',
      patch: { isRejected: true },
    } as const;
    const { after, writes } = movingJob(job, step, Date.now());
    await commit([...writes, ...releasingNames(job)]);
    return after;
  };

  const verifying = async (name: string): Promise<Job> => {
    const { job } = await claimed(name);
    const { after, writes } = movingJob(job, { event: 'signed', message: 'Signed.' }, Date.now());
    await commit(writes);
    return after;
  };

  const makers: Readonly<Record<JobState, (name: string) => Promise<Job>>> = {
    Queued: queued,
    Processing: async (name) => (await claimed(name)).job,
    Verifying: verifying,
    Completed: completed,
    Failed: failed,
    Canceled: canceled,
    AwaitingSigner: (name) => waiting(name, 'dispatched'),
    AwaitingApproval: (name) => waiting(name, 'approvalRequired'),
  };

  return {
    queued,
    claimed,
    failed,
    completed,
    canceled,
    rejected,
    inState: (state: JobState, name: string): Promise<Job> => makers[state](name),
    /** As the store has it now. */
    read: (id: string) => jobs.get(id),
  };
}
