import { renewRegularly } from '../../../../shared/async/renew-regularly.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { instanceName } from '../../instance-name.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { type FolderRecord, folderRecords } from './folder.ts';

// A scan claims its folder, so that a slow one is not doubled. A scan that lasts renews its claim; one that is killed is
// followed when its claim ends:
//
//   scan 1   |--claim--lists---renews--- killed
//   scan 2             |--claimed: nothing         (the claim ends)  |--claim--lists--|
//
// An idle scan takes less than a second. Where its claim ends by itself well before the next scan, it is left to: that
// saves a write.

/** How long a claim lasts. */
const CLAIM_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
/** A message may be late by this, and the next one in time. */
const LATE_MS = 5_000;

export type ClaimedScan = {
  /** Ends the claim and records how the scan ended, in one write, or in none where there is nothing to tell. */
  end(outcome: ScanOutcome, next: { readonly goesOn: boolean }): Promise<void>;
};

export type ScanOutcome = {
  readonly profileName: string;
  readonly lastError: string | null;
  readonly enqueued: number;
};

/** Claims a folder for a scan of its watcher. Undefined while another scan has it. */
export async function claimScan(
  { name, pollSeconds }: { readonly name: string; readonly pollSeconds: number },
  record: Stored<FolderRecord> | undefined,
  watcher: string,
  now: () => number,
): Promise<ClaimedScan | undefined> {
  if (record && record.scanEndsAtMs > now()) return undefined;
  const claimed = await claim(name, record, watcher, now());
  if (!claimed) return undefined;
  let held = claimed;
  // Without a claim two scans meet, and take each file once.
  const stop = renewRegularly(RENEW_EVERY_MS, async () => {
    held = await folderRecords.change(held, { scanEndsAtMs: now() + CLAIM_MS });
  });
  return {
    async end(outcome, { goesOn }) {
      await stop();
      const endsInTime = held.scanEndsAtMs + LATE_MS <= held.lastScanAtMs + pollSeconds * 1_000;
      await recordScan(name, outcome, now(), { record: held, releases: goesOn || !endsInTime });
    },
  };
}

async function claim(
  name: string,
  record: Stored<FolderRecord> | undefined,
  instance: string,
  nowMs: number,
): Promise<Stored<FolderRecord> | undefined> {
  const claimed = { instance, lastScanAtMs: nowMs, scanEndsAtMs: nowMs + CLAIM_MS };
  try {
    return await (record
      ? folderRecords.change(record, claimed)
      : folderRecords.create({ ...newRecord(name), ...claimed }));
  } catch (error) {
    if (error instanceof RaceLost || error instanceof AlreadyExists) return undefined;
    throw error;
  }
}

/** A folder before its first scan. */
export const newRecord = (name: string): FolderRecord => ({
  name,
  profileName: null,
  instance: instanceName(),
  lastError: null,
  lastScanAtMs: 0,
  lastEnqueueAtMs: null,
  scanEndsAtMs: 0,
});

type RecordOptions = {
  /** As it was read or claimed. */
  readonly record?: Stored<FolderRecord> | undefined;
  /** Whether the claim of a scan ends. */
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
    if (isSame && enqueued === 0 && !releases) return undefined;
    const event =
      current.profileName === profileName ? [] : recordingAssignment(name, current, profileName, nowMs);
    const patch = {
      profileName,
      lastError,
      ...(enqueued > 0 && { lastEnqueueAtMs: nowMs }),
      ...(releases && { scanEndsAtMs: 0 }),
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
  const instead = before === null ? '' : `, in the place of ${before}`;
  const message =
    profileName === null
      ? `The profile ${before} no longer signs the files of the folder ${folder}. Nothing scans it.`
      : `The profile ${profileName} signs the files of the folder ${folder}${instead}.`;
  return recordingEvent(
    { type: 'FolderAssigned', message, profileName: profileName ?? before ?? undefined },
    nowMs,
  );
};
