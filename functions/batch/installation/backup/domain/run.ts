import { renewRegularly } from '../../../../../shared/async/renew-regularly.ts';
import type { Work } from '../../../../../shared/queue/work.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { claim } from '../../../../../shared/store/lease.ts';
import { type Backup, backups } from './backup.ts';

const LEASE_MS = 90_000;
const RENEW_EVERY_MS = 20_000;

// A worker that is killed, or stalls, leaves the backup to the next one:
//
//   worker 1  |--file 7 stored, progress--|--file 8 ------ stalls ----------------- stored, progress: RaceLost
//   worker 2                               (lease ends) |--claims--|--file 8 stored, progress--| ...
//
// Files have the same names whoever stores them, and those of the export the same bytes.

/** The part of a backup that one worker does. */
export type Run = NonNullable<Awaited<ReturnType<typeof claimRun>>>;

/** Claims a backup. Undefined where another worker is at it; throws RaceLost where one was faster just now. */
export async function claimRun(found: Stored<Backup>, { now, hasTime }: Work) {
  const claimed = await claim(backups, found, { leaseMs: LEASE_MS, now });
  if (!claimed) return undefined;
  let record: Stored<Backup> = claimed;
  const held = { when: { state: 'Running', fence: claimed.fence } as Partial<Backup>, anyVersion: true };

  /** Writes the progress. Throws RaceLost when another worker has the backup, or it has ended. */
  const save = async (patch: Partial<Backup>): Promise<void> => {
    const nowMs = now();
    record = await backups.change(
      record,
      { leaseEndsAtMs: nowMs + LEASE_MS, touchedAtMs: nowMs, ...patch },
      held,
    );
  };

  /** Does something that may take long, and saves nothing itself. */
  const whileRenewed = async <T>(work: () => Promise<T>): Promise<T> => {
    const stop = renewRegularly(RENEW_EVERY_MS, () => save({}));
    try {
      return await work();
    } finally {
      await stop();
    }
  };
  return { id: found.id, hasTime, now, record: () => record, save, whileRenewed };
}
