import { clockFrom } from '../../../../shared/async/clock.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import {
  recoverFolderJobs,
  type Stranded,
} from '../../external-signer/domain/folder-job/recover-folder-jobs.ts';
import { interruptJob } from '../../jobs/domain/job/end-job.ts';
import { jobs } from '../../jobs/domain/job/job.ts';
import type { Slot } from '../../jobs/domain/job/slots.ts';
import { isInFlight } from '../../jobs/domain/job/states.ts';

/**
 * Ends the jobs of slots whose workers are gone, which frees the slots. A job of a file fails: its key may have signed.
 * One of a signer folder returns to the queue, or ends on the answer of the external service.
 */
export async function recoverJobs(
  slots: readonly Stored<Slot>[],
  nowMs: number,
  now = clockFrom(nowMs),
): Promise<void> {
  const ofFolders: Stranded[] = [];
  for (const slot of slots) {
    const job = await jobs.get(slot.jobId);
    const document = job?.fence === slot.fence && isInFlight(job.state) ? job.folderDocument : null;
    if (job && document) ofFolders.push({ job, slot, document });
    else await interruptJob(slot, nowMs);
  }
  await recoverFolderJobs(ofFolders, now);
}
