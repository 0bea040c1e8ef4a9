import { clockFrom } from '../../../../shared/async/clock.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit, isRefused } from '../../../../shared/store/commit.ts';
import { AlreadyExists } from '../../../../shared/store/refusals.ts';
import { instanceName } from '../../config/instance-name.ts';
import {
  recoverFolderJobs,
  type Stranded,
} from '../../external-signer/domain/folder-job/recover-folder-jobs.ts';
import { mayClaim } from '../../installation/cluster/domain/heartbeat.ts';
import { type Instances, ownOf } from '../../installation/cluster/domain/instance.ts';
import { isRecoverable, takingOver } from '../../installation/cluster/domain/take-over.ts';
import { interruptJob } from '../../jobs/domain/engine/end-job.ts';
import {
  type ClaimedJob,
  freeSlots,
  giveBack,
  readSlots,
  type Slot,
  shuffle,
  takingSlot,
  withSlot,
} from '../../jobs/domain/engine/slots.ts';
import { type Job, jobs } from '../../jobs/domain/job/job.ts';
import { jobList } from '../../jobs/domain/job/list.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import { isInFlight, jobStates } from '../../jobs/domain/job/states.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { ofFile, say } from '../../sentences/sentences.ts';
import { isWorkStoreUsable } from '../../storage/domain/stores.ts';
import { readPipeline } from './flight.ts';

// Workers that poll at once would all meet on the oldest job. As many of the oldest as there are free slots are due
// now, so each worker begins with any of those: with one slot that is the oldest.
const MAX_CANDIDATES = 8;

/**
 * The queued jobs that a worker knows of, the next one last: the one that woke it, which may be whole, or the ids of the
 * oldest as it found them.
 */
export type KnownJobs = (string | Stored<Job>)[];

/**
 * Claims a job that the worker knows of, or else, unless these are the only ones, one of the oldest that are queued. Answers
 * undefined when this instance has stood down, the pipeline is paused, another installation has the work share, every slot
 * is taken, or nothing waits. A look at the queue recovers jobs whose worker or instance is gone first: that frees their slots.
 */
export async function claimJob(
  nowMs: number,
  known: KnownJobs = [],
  { onlyKnown = false } = {},
): Promise<ClaimedJob | undefined> {
  const now = clockFrom(nowMs);
  const { pipeline, instances } = await readPipeline();
  // While this look hung, the instance may have stood down.
  if (!(await mayClaim(ownOf(instances), now()))) return undefined;
  // Nothing is lost: jobs wait until this installation has its work share.
  const isOpen = pipeline.state !== 'Paused' && (await isWorkStoreUsable());
  const claimed = isOpen ? await claimKnown(known, nowMs) : 'none';
  if (claimed !== 'none') return claimed;
  if (onlyKnown) return undefined;
  const slots = await readSlots();
  const stranded = slots.filter((slot) => isRecoverable(slot, instances, nowMs));
  await recoverJobs(stranded, nowMs, { instances });
  const free = freeSlots(
    slots.filter((slot) => !stranded.includes(slot)),
    'queued',
  );
  if (!isOpen || free.length === 0) return undefined;
  const limit = Math.min(free.length, MAX_CANDIDATES);
  const oldest = await jobList({ state: 'Queued' }).walk({ oldestFirst: true, limit });
  known.push(...shuffle(oldest).map(({ id }) => id));
  const found = await claimKnown(known, nowMs);
  return found === 'none' ? undefined : found;
}

/** 'none' when others have all of them. Those that are left are for the next claim. */
async function claimKnown(known: KnownJobs, nowMs: number): Promise<ClaimedJob | 'none' | undefined> {
  for (let next = known.pop(); next !== undefined; next = known.pop()) {
    const job = typeof next === 'string' ? await jobs.get(next) : next;
    if (!job || !jobStates.accepts(job.state, 'pickedUp')) continue;
    const claimed = await tryClaim(job, nowMs);
    if (claimed !== 'race-lost') return claimed;
    // It was whole, and has changed since: perhaps it waits all the same.
    if (job === next) known.push(job.id);
  }
  return 'none';
}

/** Undefined when no slot is left, 'race-lost' when another worker has the job. */
function tryClaim(job: Stored<Job>, nowMs: number): Promise<ClaimedJob | 'race-lost' | undefined> {
  const fence = job.fence + 1;
  const instance = instanceName();
  const { after, writes } = movingJob(
    job,
    { event: 'pickedUp', message: say('job.picked-up', { instance }), patch: { fence, instance } },
    nowMs,
  );
  const { id: jobId, format, profileName, fileName } = job;
  const event = recordingEvent(
    {
      type: 'JobPickedForProcessing',
      message: ofFile(fileName, say('event.picked-up', { instance })),
      jobId,
      profileName,
    },
    nowMs,
  );
  return withSlot('queued', async (number) => {
    const slot = takingSlot({ number, jobId, format, profileName, fence }, nowMs);
    try {
      await commit([...writes, slot, ...event]);
      return { job: after, slot: slot.after };
    } catch (error) {
      if (error instanceof AlreadyExists || !isRefused(error)) throw error;
      giveBack(number);
      return 'race-lost';
    }
  });
}

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
