import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { type Lease, released, whileLeased } from '../../../../shared/store/lease.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { instanceName } from '../../config/instance-name.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { say } from '../../sentences/sentences.ts';
import { type FolderRecord, folderRecords } from './folder.ts';

// A scan claims its folder, so that a slow one is not doubled. A scan that lasts renews its lease; one that is killed is
// followed when its lease ends:
//
//   scan 1   |--claim--lists---renews--- killed
//   scan 2             |--held: nothing            (the lease ends)  |--claim--lists--|
//
// An idle scan takes less than a second. Where its lease ends by itself well before the next scan, it is left to: that
// saves a write. Without a lease two scans meet, and take each file once.

const LEASE_MS = 15_000;
/** A message may be late by this, and the next one in time. */
const LATE_MS = 5_000;

export type ScanOutcome = {
  readonly profileName: string;
  readonly lastError: string | null;
  readonly enqueued: number;
};

/** Scans a folder for its watcher while no other scan has it; otherwise 'held'. */
export const whileScanning = <T>(
  name: string,
  record: Stored<FolderRecord> | undefined,
  watcher: string,
  now: () => number,
  scan: (lease: Lease<FolderRecord>) => Promise<T>,
): Promise<T | 'held'> => {
  const patch = { instance: watcher, lastScanAtMs: now() };
  return whileLeased(folderRecords, record ?? newRecord(name), { leaseMs: LEASE_MS, now, patch }, scan);
};

/** Ends the lease and records how the scan ended, in one write, or in none where there is nothing to tell. */
export async function endScan(
  lease: Lease<FolderRecord>,
  outcome: ScanOutcome,
  { goesOn, pollSeconds }: { readonly goesOn: boolean; readonly pollSeconds: number },
  nowMs: number,
): Promise<void> {
  const held = await lease.stop();
  const endsInTime = (held.leaseEndsAtMs ?? 0) + LATE_MS <= held.lastScanAtMs + pollSeconds * 1_000;
  await recordScan(held.name, outcome, nowMs, { record: held, releases: goesOn || !endsInTime });
}

/** A folder before its first scan. */
export const newRecord = (name: string): FolderRecord => ({
  name,
  profileName: null,
  instance: instanceName(),
  lastError: null,
  lastScanAtMs: 0,
  lastEnqueueAtMs: null,
});

type RecordOptions = {
  /** As it was read or claimed. */
  readonly record?: Stored<FolderRecord> | undefined;
  /** Whether the lease of the scan ends. */
  readonly releases?: boolean;
};

/** Records how a scan ended. A change of the profile is an event. */
export function recordScan(
  name: string,
  { profileName, lastError, enqueued }: ScanOutcome,
  nowMs: number,
  { record, releases = false }: RecordOptions = {},
): Promise<void> {
  return changeRecord(name, record, (current) => {
    const isSame = current.profileName === profileName && current.lastError === lastError;
    const isReleased = releases && current.fence === record?.fence;
    if (isSame && enqueued === 0 && !isReleased) return undefined;
    const event =
      current.profileName === profileName ? [] : recordingAssignment(name, current, profileName, nowMs);
    const patch = {
      profileName,
      lastError,
      ...(enqueued > 0 && { lastEnqueueAtMs: nowMs }),
      ...(isReleased && released),
    };
    return { patch, also: event };
  });
}

/** Records that no profile selects a folder any more. */
export const recordUnassigned = (record: Stored<FolderRecord>, nowMs: number): Promise<void> =>
  changeRecord(record.name, record, (current) =>
    current.profileName === null
      ? undefined
      : {
          patch: { profileName: null, lastError: null },
          also: recordingAssignment(record.name, current, null, nowMs),
        },
  );

type Change = { readonly patch: Partial<FolderRecord>; readonly also: readonly Write[] };

async function changeRecord(
  name: string,
  read: Stored<FolderRecord> | undefined,
  changeOf: (current: FolderRecord) => Change | undefined,
): Promise<void> {
  let known = read;
  await retryOnConflict(
    async () => {
      const record = known ?? (await folderRecords.get(name));
      known = undefined;
      const change = changeOf(record ?? newRecord(name));
      if (!change) return;
      const write = record
        ? folderRecords.changing(record, change.patch)
        : folderRecords.creating({ ...newRecord(name), ...change.patch });
      await commit([write, ...change.also]);
    },
    { mayCreate: true },
  );
}

const recordingAssignment = (
  folder: string,
  { profileName: before }: FolderRecord,
  profileName: string | null,
  nowMs: number,
): Write[] => {
  const message =
    profileName === null
      ? say('folder.unassigned', { profile: before ?? '', folder })
      : before === null
        ? say('folder.assigned', { profile: profileName, folder })
        : say('folder.reassigned', { profile: profileName, folder, before });
  return recordingEvent(
    { type: 'FolderAssigned', message, profileName: profileName ?? before ?? undefined },
    nowMs,
  );
};
