import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { approverOf, type JobApproval } from '../../jobs/domain/job/approval.ts';
import { DECIDED_DAYS } from '../../jobs/domain/job/approver-lists.ts';
import { type Job, jobs } from '../../jobs/domain/job/job.ts';
import { type Standing, standingOf, type VisibleJob } from './visible-job.ts';

/** That a content was submitted for approval, by its hash. A file that is sent twice pays twice. */
type Submission = {
  readonly contentSha256: string;
  readonly jobId: string;
  readonly parkedAtMs: number;
};

const DAY_SECONDS = 86_400;
const TIME_DIGITS = 15; // sorts until the year 33658

const submissions = collection<Submission, Submission>({
  service: 'batch',
  name: 'submitted content',
  id: ({ contentSha256, jobId, parkedAtMs }) => ({ contentSha256, jobId, parkedAtMs }),
  key: ({ contentSha256, jobId, parkedAtMs }) => ({
    pk: partitionOf(contentSha256),
    sk: `${String(parkedAtMs).padStart(TIME_DIGITS, '0')}#${jobId}`,
  }),
  // As long as decisions are listed.
  indexed: ({ parkedAtMs }) => ({ ttl: Math.ceil(parkedAtMs / 1000) + DECIDED_DAYS * DAY_SECONDS }),
});

const partitionOf = (contentSha256: string): string => `CONTENT#${contentSha256}`;

/** The write that makes the content of a job known, for the commit that parks it. */
export const recordingContent = (
  { id: jobId }: Pick<Job, 'id'>,
  { contentSha256, parkedAtMs }: JobApproval,
): Write => submissions.putting({ contentSha256, jobId, parkedAtMs });

/** Another job with the same content. */
export type SameContent = {
  readonly standing: Extract<Standing, 'waiting' | 'released' | 'signed' | 'failed' | 'rejected'>;
  /** When it began to wait, or when the decision was made that ended the wait. */
  readonly atMs: number;
  /** Undefined where the approver is not in its pool: the name of its file is not theirs to know. */
  readonly job: Pick<Job, 'id' | 'fileName'> | undefined;
};

const TOLD: readonly Standing[] = ['waiting', 'released', 'signed', 'failed', 'rejected'];
const isTold = (standing: Standing): standing is SameContent['standing'] => TOLD.includes(standing);

// One query and one read of so many jobs, however often a content was submitted.
const MAX_SUBMISSIONS = 10;

/**
 * The other jobs with the content of this one: that wait, that were approved or rejected. The newest first. Those that
 * expired or were canceled paid nothing, and are left out. So are jobs that were parked by a version without this record.
 */
export async function findSameContent(
  { id, approval }: VisibleJob,
  address: string,
  nowMs: number,
): Promise<readonly SameContent[]> {
  const { contentSha256 } = approval;
  const query = { pk: partitionOf(contentSha256), newestFirst: true };
  const found = await firstItems(submissions, query, MAX_SUBMISSIONS);
  const ids = found.map(({ jobId }) => jobId).filter((jobId) => jobId !== id);
  const others = ids.length === 0 ? [] : await jobs.getMany(ids);
  return others.flatMap((other) => sameContentOf(other, address, nowMs)).toSorted((a, b) => b.atMs - a.atMs);
}

function sameContentOf(job: Stored<Job>, address: string, nowMs: number): SameContent[] {
  const { id, fileName, approval } = job;
  if (!approval) return [];
  const standing = standingOf({ ...job, approval }, nowMs);
  if (!isTold(standing)) return [];
  const atMs = standing === 'waiting' ? approval.parkedAtMs : (approval.decisions.at(-1)?.decidedAtMs ?? 0);
  return [{ standing, atMs, job: approverOf(approval, address) && { id, fileName } }];
}
