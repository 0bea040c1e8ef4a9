import type { OpenFile } from '../../../../shared/files/get.ts';
import { sha256Of } from '../../../../shared/files/sha256.ts';
import { errorKey, outputKey, stagedKey } from '../../jobs/domain/job/job.ts';
import { jobStates } from '../../jobs/domain/job/states.ts';
import { findOutput } from '../../jobs/domain/open-outputs.ts';
import { withWorkInReach, workFiles } from '../../storage/domain/stores.ts';
import { openStaged, type VisibleJob } from './visible-job.ts';

/** The files of a job that an approver can have: what they are or were asked about, and the signed file. */
export type KeptFiles = { readonly hasContent: boolean; readonly signed: 'there' | 'gone' | 'none' };

/** Whether they are there. What the files hold is looked at when they are asked for. */
export async function findKeptFiles(job: VisibleJob): Promise<KeptFiles> {
  // Before its end a job has its file, as its payments show.
  if (!jobStates.isTerminal(job.state)) return { hasContent: true, signed: 'none' };
  const signed = await findOutput(job);
  const heads = await withWorkInReach(async () => {
    const work = await workFiles();
    return Promise.all(placesOf(job).map((key) => work.head(key)));
  });
  return { hasContent: heads.some(Boolean), signed };
}

/**
 * The file that people were asked about, wherever the end of its job has put it. It is read twice: nothing of another file
 * leaves. Undefined where it is gone; of a signed job that is so from the start.
 */
export async function openApproved(job: VisibleJob): Promise<OpenFile | undefined> {
  for (const key of placesOf(job)) {
    const measured = await openAt(job, key);
    if (measured && (await sha256Of(measured.stream)) === job.approval.contentSha256) return openAt(job, key);
  }
  return undefined;
}

/** Staged, given back after a rejection, or kept after another end. */
const placesOf = (job: VisibleJob): readonly string[] => [
  stagedKey(job),
  ...(job.isRejected && job.outputName !== null ? [outputKey(job.outputName)] : []),
  ...(job.state === 'Failed' || job.state === 'Canceled' ? [errorKey(job)] : []),
];

const openAt = async (job: VisibleJob, key: string): Promise<OpenFile | undefined> =>
  key === stagedKey(job) ? openStaged(job) : withWorkInReach(async () => (await workFiles()).get(key));
