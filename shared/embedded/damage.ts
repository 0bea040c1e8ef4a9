// Whether the database of a folder is what its last process left: whole, and with every commit that was answered.
import { closeSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

// Another process may be writing. Its transactions take milliseconds.
export const BUSY_TIMEOUT_MS = 5_000;
// A check of every page reads the whole file. Above this size only its length and its last commit are checked.
const CHECKED_BYTES = 256 * 1_024 * 1_024;

/** The store's data cannot be used as it is. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore';
}

// The number of the last commit, beside the database. It is written after the commit has been synced, so that it is never
// ahead of an honest database; a database that is behind it has lost commits.
export function openWitness(file: string) {
  const isNew = !existsSync(file);
  const descriptor = openSync(file, isNew ? 'w+' : 'r+', 0o600);
  const bytes = Buffer.alloc(8);
  // It has its room from the beginning, so that a disk that is full later does not matter.
  if (isNew) writeSync(descriptor, bytes, 0, 8, 0);
  return {
    last: (): bigint => (readSync(descriptor, bytes, 0, 8, 0) === 8 ? bytes.readBigUInt64BE() : 0n),
    // The commit is made by now. A witness that stays behind finds less, and is wrong about nothing.
    write(commits: number): void {
      bytes.writeBigUInt64BE(BigInt(commits));
      try {
        writeSync(descriptor, bytes, 0, 8, 0);
      } catch {}
    },
    close: () => closeSync(descriptor),
  };
}

/** Refuses a database that lost commits, was cut, or is damaged. */
export function requireWhole(db: DatabaseSync, file: string, lastCommit: bigint): void {
  const commits = BigInt(String(db.prepare('SELECT commits FROM state').get()?.commits));
  if (commits < lastCommit)
    throw new DamagedStore(
      `Its last commit is ${commits}, and commit ${lastCommit} was answered: the file or its log was cut.`,
    );
  // Without waiting for readers: an export may take minutes, and writers would wait with this process.
  db.exec(
    `PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  );
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  const { size } = statSync(file);
  if (size < pages * pageBytes && statSync(`${file}-wal`, { throwIfNoEntry: false })?.size === 0)
    throw new DamagedStore(`It has ${size} of ${pages * pageBytes} bytes: the file was cut.`);
  if (size > CHECKED_BYTES) return;
  const found = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
  if (found !== 'ok') throw new DamagedStore(found.replaceAll('\n', ' '));
}

/** An error that tells of damage, with what to do. Others stay as they are. */
export const asDamage = (error: unknown, file: string): unknown => {
  const { code, errstr, message } = error as Error & { code?: string; errstr?: string };
  if (!(error instanceof DamagedStore) && !/malformed|not a database|corrupt/.test(`${errstr} ${message}`))
    return error;
  return new DamagedStore(
    `The store in ${file} is damaged: ${message} Nothing was changed. Put a backup in its place, or begin anew without it.`,
    { cause: code },
  );
};
