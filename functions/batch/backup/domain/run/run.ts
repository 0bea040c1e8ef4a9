import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { type Snapshot, snapshotOf } from '../../../../../shared/store/snapshot/snapshot.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { type Backup, backups } from '../backup.ts';

/** Another worker has the backup, or it was canceled. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';

  constructor() {
    super('Another worker has the backup, or it has ended.');
  }
}

/** Longer than a part takes to be stored on a slow share. Every part that is stored renews it. */
export const LEASE_MS = 90_000;

// A worker that is killed, or stalls, leaves the backup to the next one:
//
//   worker 1  |--part 7 stored, progress--|--part 8 ------ stalls ----------------- stored, progress: TakenOver
//   worker 2                               (lease ends) |--claims, skips number 8--|--part 9 stored, progress--| ...
//
// A number is used by one worker alone, so a late file replaces no other. A part counts when its progress is written, in
// one commit with it; a file without that is no part of the backup and is deleted at its end.

export type Run = ReturnType<typeof runOf>;

/** The part of a backup that one worker does. */
export function runOf(claimed: Stored<Backup>, hasTime: () => boolean, now: () => number) {
  let record = claimed;
  const { id } = claimed;
  const snapshot: Snapshot = snapshotOf('batch', id);
  return {
    id,
    snapshot,
    hasTime,
    now,
    record: () => record,
    /** Writes the progress, together with what it tells of. Throws TakenOver. */
    async save(patch: Partial<Backup>, also: readonly Write[] = []): Promise<void> {
      const nowMs = now();
      const write = backups.changing(
        record,
        { leaseEndsAtMs: nowMs + LEASE_MS, touchedAtMs: nowMs, ...patch },
        { when: { state: 'Running', fence: record.fence } as Partial<Backup>, anyVersion: true },
      );
      await commit([{ ...write, refusal: () => new TakenOver() }, ...also]);
      record = write.after;
    },
  };
}
