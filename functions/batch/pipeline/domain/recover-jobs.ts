import { clockFrom } from '../../../../shared/async/clock.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { Instances } from '../../cluster/domain/instance.ts';
import { takingOver } from '../../cluster/domain/take-over.ts';
import {
  recoverFolderJobs,
  type Stranded,
} from '../../external-signer/domain/folder-job/recover-folder-jobs.ts';
import { interruptJob } from '../../jobs/domain/engine/end-job.ts';
import type { Slot } from '../../jobs/domain/engine/slots.ts';
import { jobs } from '../../jobs/domain/job/job.ts';
import { isInFlight } from '../../jobs/domain/job/states.ts';

type RecoveryOptions = {
  /** As they were read with the slots. */
  readonly instances?: Instances;
  /** For tests. */
  readonly now?: () => number;
};

/**
 * Ends the jobs of slots whose workers are gone, which frees the slots. A job of a file fails: its key may have signed.
 * One of a signer folder returns to the queue, or ends on the answer of the external service. A job of another instance
 * is taken over, with an event in the commit that ends it.
 */
export async function recoverJobs(
  slots: readonly Stored<Slot>[],
  nowMs: number,
  { instances = new Map(), now = clockFrom(nowMs) }: RecoveryOptions = {},
): Promise<void> {
  const ofFolders: Stranded[] = [];
  for (const slot of slots) {
    const job = await jobs.get(slot.jobId);
    const document = job?.fence === slot.fence && isInFlight(job.state) ? job.folderDocument : null;
    const recovery = takingOver(job, slot, instances, nowMs);
    if (job && document) ofFolders.push({ job, slot, document, recovery });
    else await interruptJob(slot, nowMs, recovery);
  }
  await recoverFolderJobs(ofFolders, now);
}
