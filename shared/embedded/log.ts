// The log of a database, its -wal file. SQLite writes it, and it is synced here beside the thread that writes: a disk takes
// milliseconds, in which requests go on.
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { shareSync } from './shared-sync.ts';

export type Log = {
  /** Resolves once everything that was written before the call is on the disk. */
  readonly sync: () => Promise<void>;
  readonly syncNow: () => void;
  readonly close: () => void;
};

const syncData = promisify(fdatasync);

/** Opens the log of a database that is open: it is there as long as the database is. */
export function openLog(file: string): Log {
  const descriptor = openSync(`${file}-wal`, 'r+');
  let syncs = 0;
  let isClosed = false;
  const closeIfIdle = (): void => {
    if (isClosed && syncs === 0) closeSync(descriptor);
  };
  return {
    sync: shareSync(async () => {
      syncs += 1;
      try {
        await syncData(descriptor);
      } finally {
        syncs -= 1;
        closeIfIdle();
      }
    }),
    syncNow: () => fdatasyncSync(descriptor),
    close: () => {
      isClosed = true;
      closeIfIdle();
    },
  };
}
