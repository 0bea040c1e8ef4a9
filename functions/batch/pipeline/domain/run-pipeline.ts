import type { Work } from '../../../../shared/queue/work.ts';
import { claimJob, type KnownJobs } from './claim-job.ts';
import { processJob } from './process-job.ts';

/**
 * Takes jobs one after another, the one that the worker was woken for first, until none waits, all slots are taken, the
 * pipeline is paused, or there is no time for another. Answers how many it took, and whether it stopped for want of time.
 */
export async function runPipeline(
  work: Work,
  wokenFor?: KnownJobs[number],
): Promise<{ readonly taken: number; readonly isOutOfTime: boolean }> {
  const known: KnownJobs = wokenFor === undefined ? [] : [wokenFor];
  for (let taken = 0; ; taken++) {
    if (!work.hasTime()) return { taken, isOutOfTime: true };
    const claimed = await claimJob(work.now(), known);
    if (!claimed) return { taken, isOutOfTime: false };
    await processJob(claimed, work);
  }
}
