import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { ofFile, say } from '../../sentences/sentences.ts';
import { settleFilesOf } from './engine/settle-files.ts';
import { type ActOptions, requireStill } from './job/act-options.ts';
import { deletingJob } from './job/deleting.ts';
import { requireJob } from './job/job.ts';
import { jobStates } from './job/states.ts';
import { findUnsettled } from './job/tasks.ts';

/** `unfinished`: it goes on, or waits for people. `unsettled`: its files cannot be put in their places now. */
export type DeleteOutcome = 'deleted' | 'unfinished' | 'unsettled';

// A job that has just ended may have files to move, and settling them needs the job:
//
//   worker    |--Completed + outbox entry-- killed
//   operator                                  |--settles the files--|--deletes the job, records the event--|
//
// Another operator, or a clearing, may be faster: the job is read again, and is not found.

/**
 * Deletes a finished job with its history, and frees the name of a completed one. Its files stay for retention. It is an
 * action of people: an outcome that is no deletion is told in their words, and has no code.
 */
export const deleteJob = (
  { application: by }: Pick<Caller, 'application'>,
  id: string,
  nowMs: number,
  { onlyIf, also = [] }: ActOptions = {},
): Promise<DeleteOutcome> =>
  retryOnConflict(async () => {
    const found = await requireJob(id);
    requireStill(found, onlyIf, nowMs);
    if (!jobStates.isTerminal(found.state)) return 'unfinished';
    if (!(await isSettled(found.id, nowMs))) return 'unsettled';
    // Settling may have changed it.
    const job = await requireJob(found.id);
    requireStill(job, onlyIf, nowMs);
    const { id: jobId, fileName, profileName } = job;
    const message = ofFile(fileName, say('job.deleted-by', { by }));
    await commit([
      ...deletingJob(job),
      ...recordingEvent({ type: 'JobDeleted', message, jobId, profileName, by }, nowMs),
      ...also,
    ]);
    return 'deleted';
  });

/** Puts the files in their places, where that is left to do. A failure leaves it to the sweeper, which logs why. */
async function isSettled(jobId: string, nowMs: number): Promise<boolean> {
  if (!(await findUnsettled([jobId])).has(jobId)) return true;
  return (await settleFilesOf(jobId, nowMs).catch(() => 'failed' as const)) === 'settled';
}
