import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { isStranded, type Slot } from '../../../jobs/domain/engine/slots.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { PLAIN_RECOVERY, type Recovery } from '../../../jobs/domain/job/recovery.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { ofFile, say } from '../../../sentences/sentences.ts';
import { type Instances, instances, stateOf } from './instance.ts';

// A live instance ends the jobs of one that is stale. The stale one may be slow and not dead:
//
//   stale   |--heartbeat--------- stalls -----------------------------|--heartbeat--|--Completed: refused
//   live                    |--reads: stale--|--job: Failed, if the row is unchanged--|
//
//   stale   |--heartbeat--------- stalls --|--heartbeat--|--Completed--|
//   live                    |--reads: stale------------------|--job: Failed: refused, the row has changed
//
// Each slot is deleted by the version that was read, so of several live instances one ends its job.

/**
 * Whether a live instance recovers the job of a slot: of its own, those whose workers are gone; of another, all of them
 * once it is stale or stopped, and none before. One without a row is older than the rows: its leases tell.
 */
export function isRecoverable(slot: Slot, all: Instances, nowMs: number): boolean {
  if (slot.instance === instanceName()) return isStranded(slot, nowMs);
  const other = all.get(slot.instance);
  return other ? stateOf(other, nowMs) !== 'Live' : slot.leaseEndsAtMs <= nowMs;
}

/** What the commits of a recovery have besides, where the job is that of another instance. */
export function takingOver(
  job: Stored<Job> | undefined,
  slot: Slot,
  all: Instances,
  nowMs: number,
): Recovery {
  if (slot.instance === instanceName()) return PLAIN_RECOVERY;
  const other = all.get(slot.instance);
  const guards = other ? [instances.unchanged(other)] : [];
  return { guards, endings: [...guards, ...(job ? recordingTakeOver(job, slot, nowMs) : [])] };
}

const recordingTakeOver = ({ id, fileName, profileName }: Job, slot: Slot, nowMs: number): Write[] =>
  recordingEvent(
    {
      type: 'JobTakenOver',
      message: ofFile(fileName, say('event.taken-over', { instance: instanceName(), from: slot.instance })),
      jobId: id,
      profileName,
    },
    nowMs,
  );
