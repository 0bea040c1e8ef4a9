// Which commits of a database are on its disk. A commit is seen by everybody before it is, by other processes too.
//
//   process 1  |--commit 7--sync----------------|--witness: 7--|--answer
//   process 2         |--reads 7: the witness has 6, so it syncs--|--answer
//
// So no answer tells of a commit that a power cut could still take back.
import { StoreError } from './errors.ts';
import type { Log } from './log.ts';

/** What a database on a disk has beside it. */
export type Disk = {
  readonly folder: string;
  readonly log: Log;
  /** The number of the last commit that is known to be synced, whoever made it. */
  readonly witness: { readonly last: () => bigint; readonly write: (commits: number) => void };
};

/** What is read of the database. */
type Reading = {
  /** Another one after a commit of another process. */
  readonly dataVersion: () => unknown;
  /** The number of the last commit. */
  readonly commits: () => number;
};

/** Called once: without an error, the commit is on the disk. */
type Settle = (error?: StoreError) => void;

export function trackSync({ folder, log, witness }: Disk, { dataVersion, commits }: Reading) {
  /** The commit of this process that waits for the disk. There is one at a time. */
  let own: { readonly synced: Promise<void>; readonly end: Settle } | undefined;
  let loss: StoreError | undefined;
  let isClosed = false;
  let syncedVersion: unknown;

  // After a sync that failed, nobody knows which pages of the log are on the disk, and a second sync would not tell. What
  // is written behind a gap is not found after a power cut, so nothing is answered any more. The next start reads the log
  // with its checksums.
  const sync = (): Promise<void> =>
    log.sync().catch((error: Error) => {
      loss ??= new StoreError(
        'ServiceUnavailable',
        `The disk of the store in ${folder} did not keep what was written: ${error.message}. Look at the disk, and start again: what was answered before is there.`,
        {},
        503,
      );
      throw loss;
    });

  return {
    /** Why nothing is answered any more. */
    loss: () => loss,
    /** Whether a commit of this process waits for the disk. */
    isSyncing: () => own !== undefined,

    /** Has a commit of this process synced, by its number. */
    add(number: number, settle: Settle): void {
      const end = (error?: StoreError): void => {
        if (own?.end !== end) return;
        own = undefined;
        if (!error) witness.write(number);
        settle(error);
      };
      own = { end, synced: sync().then(() => end(), end) };
    },

    /** Resolves once everything that can be read now is on the disk. */
    async settled(): Promise<void> {
      await own?.synced;
      if (loss) throw loss;
      if (isClosed) return;
      const version = dataVersion();
      if (version === syncedVersion) return;
      if (commits() > witness.last()) await sync();
      syncedVersion = version;
    },

    /** Syncs the commit that waits for it now, without leaving the thread. */
    finish(): void {
      if (!own) return;
      log.syncNow();
      own.end();
    },

    close(): void {
      isClosed = true;
      log.close();
    },
  };
}
