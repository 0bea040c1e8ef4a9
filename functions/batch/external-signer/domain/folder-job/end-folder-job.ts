import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { movingJob } from '../../../jobs/domain/job/move-job.ts';
import { keepingName, releasingNames } from '../../../jobs/domain/job/names.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { ofFile, type Sentence, say } from '../../../sentences/sentences.ts';

// The steps of a job that signs a document, and how a killed one goes on:
//
//   Processing | read -- action URL -- start -- key reached -- sign -- complete -- Verifying -- read back -- Completed
//   recovery   | back to the queue              asks the service, signs nothing    Completed
//
// A run whose job has been recovered meanwhile is refused at its next write, and so never reaches the key.

/** How an attempt to sign ended. Counted in the commit that ends its job. */
export const countingOutcome = (outcome: 'signed' | 'refused' | 'no-longer-pending' | 'failed'): Write =>
  counting('bulk_signer_folder_signatures_total', { outcome });

/** Records that the key of this person is used next. Refused with RaceLost when another has the job. */
export async function markKeyReached(job: Stored<Job>, cpf: string, nowMs: number): Promise<Stored<Job>> {
  const { folderDocument, state, fence } = job;
  if (!folderDocument) throw new Error('Only a job of a signer folder has a document.');
  const patch = { folderDocument: { ...folderDocument, keyReachedAtMs: nowMs, cpf } };
  const write = jobs.changing(job, patch, { when: { state, fence } });
  await commit([write]);
  return write.after;
}

/** Moves a job to Verifying: the external service has the signature. */
export async function markSigned(
  job: Stored<Job>,
  message: Sentence,
  also: readonly Write[],
  nowMs: number,
): Promise<Stored<Job>> {
  const { after, writes } = movingJob(job, { event: 'signed', message }, nowMs);
  await commit([...writes, ...also]);
  return after;
}

/** Completes a job. `also` frees its slot. */
export async function completeJob(
  job: Stored<Job>,
  message: Sentence,
  also: readonly Write[],
  nowMs: number,
): Promise<Stored<Job>> {
  const { id: jobId, fileName, profileName } = job;
  const { after, writes } = movingJob(job, { event: 'verified', message }, nowMs);
  await commit([
    ...writes,
    ...keepingName(job),
    ...recordingEvent(
      { type: 'JobCompleted', message: ofFile(fileName, message), jobId, profileName },
      nowMs,
    ),
    counting('bulk_jobs_completed_total'),
    countingOutcome('signed'),
    ...also,
  ]);
  return after;
}

const MOVED_ON = say('job.moved-on');

/** Cancels a job whose document moved on. It has no code. `also` frees its slot. */
export async function cancelMovedOn(
  job: Stored<Job>,
  also: readonly Write[],
  nowMs: number,
): Promise<Stored<Job>> {
  const { id: jobId, fileName, profileName } = job;
  const { after, writes } = movingJob(job, { event: 'movedOn', message: MOVED_ON }, nowMs);
  await commit([
    ...writes,
    ...releasingNames(job),
    ...recordingEvent(
      { type: 'JobCanceled', message: ofFile(fileName, MOVED_ON), jobId, profileName },
      nowMs,
    ),
    countingOutcome('no-longer-pending'),
    ...also,
  ]);
  return after;
}
