// One SQLite database in the process that uses it. Several processes may use one folder.
import { closeSync, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
// Not the global ones, which a test may replace by its own clock.
import { setImmediate, setTimeout } from 'node:timers';
import { asDamage, BUSY_TIMEOUT_MS, DamagedStore, openWitness, requireWhole } from './damage.ts';
import { StoreError } from './errors.ts';
import { openLog } from './log.ts';
import { openSnapshot, type Row, type Snapshot } from './snapshot.ts';
import { type Disk, trackSync } from './synced.ts';

const FILE = 'store.db';
const LAYOUT = 1;

// How long a commit leaves another process's alone before it tries again.
const BUSY_RETRY_MS = 1;

// Below this a store is not ready any more: what is left goes to writes that have begun.
const MIN_FREE_BYTES = 16 * 1_024 * 1_024;
// Written to see whether writes go on. A smaller write may fit where the next ones do not.
const PROBE_BYTES = 1_024 * 1_024;
// The log is cut to this after it was longer.
const MAX_KEPT_LOG_BYTES = 32 * 1_024 * 1_024;

export type Database = {
  /** Runs a statement. Statements are prepared once. */
  readonly run: (sql: string, ...values: SQLInputValue[]) => void;
  readonly get: (sql: string, ...values: SQLInputValue[]) => Row | undefined;
  readonly each: (sql: string, ...values: SQLInputValue[]) => Iterable<Row>;
  /** Another one after a commit of another process, and after a commit of this one that failed. */
  readonly version: () => string;
  /**
   * Runs work inside a transaction, together with the work of everybody who asks in the same turn of the event loop, or
   * while the transaction before is synced: one sync of the disk for all of them. The answer is given after it. Work checks
   * everything before it writes, so that one that throws has written nothing and leaves the others alone. Work that is
   * asked for inside other work is the last of the same transaction.
   */
  readonly commit: <T>(work: () => T) => Promise<T>;
  /** Runs a command, and answers once everything that it can have read is on the disk. */
  readonly answer: <T>(command: () => Promise<T>) => Promise<T>;
  /** The database as it is now, however much is written to it meanwhile. */
  readonly snapshot: () => Snapshot;
  /** Why it takes no writes now, or takes none soon. Costs a write only after one that failed. */
  readonly problem: () => Promise<string | undefined>;
  readonly close: () => void;
};

export type { Row };

/** Opens the database of a folder, or one in memory. Throws `DamagedStore` when it is damaged or was cut. */
export function openDatabase(folder?: string): Database {
  // Everything is for its owner alone, whatever the umask of the process.
  if (folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = folder ? join(folder, FILE) : ':memory:';
  const isNew = !folder || !existsSync(file);
  // SQLite would take the umask for the database. Its log has the mode of the database.
  if (folder && isNew) closeSync(openSync(file, 'a', 0o600));
  const db = opened(file);
  const witness = folder ? openWitness(join(folder, 'commits')) : undefined;
  try {
    prepare(db, isNew);
    if (folder && !isNew) requireWhole(db, file, witness?.last() ?? 0n);
  } catch (error) {
    witness?.close();
    db.close();
    throw asDamage(asUnavailable(error, folder), file);
  }
  const disk = folder && witness ? { folder, witness, log: openLog(file) } : undefined;
  return inUse(db, disk, () => {
    db.close();
    witness?.close();
  });
}

function opened(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw asDamage(error, file);
  }
}

function prepare(db: DatabaseSync, isNew: boolean): void {
  // Space of deleted items is given back in steps; this must be said before the first table.
  if (isNew) db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL');
  // SQLite syncs the log before it moves pages out of it. Before each answer the log is synced here, as FULL would have it.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
  db.exec(`PRAGMA journal_size_limit = ${MAX_KEPT_LOG_BYTES}`);
  db.exec(`
    CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, name TEXT UNIQUE, definition TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, request TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), layout INTEGER NOT NULL, commits INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS probe (bytes BLOB NOT NULL) STRICT;
    INSERT OR IGNORE INTO state VALUES (1, ${LAYOUT}, 0);
  `);
  const found = db.prepare('SELECT layout FROM state').get();
  if (found?.layout !== LAYOUT)
    throw new DamagedStore(`It has the layout ${found?.layout}, and this version of Sinete reads ${LAYOUT}.`);
}

// SQLite's codes, without what they are extended by: locked by another process, read only, an error of the disk.
const BUSY = 5;
const FULL = 13;
const UNWRITABLE: ReadonlySet<number> = new Set([BUSY, 8, 10, FULL]);

const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

/** An error of the disk as a service that does not answer now: callers try again later. */
function asUnavailable(error: unknown, folder = 'memory'): unknown {
  const { errcode = 0, errstr } = error as { errcode?: number; errstr?: string };
  const code = errcode & 0xff;
  if (!UNWRITABLE.has(code)) return error;
  const message =
    code === FULL
      ? `The disk of the store in ${folder} is full. Nothing was written. Free space on it: writes go on by themselves then.`
      : `The store in ${folder} cannot be written: ${errstr}. Look at its disk, its quota and its permissions: writes go on by themselves once it can.`;
  return new StoreError('ServiceUnavailable', message, {}, 503);
}

/** Work that waits for the commit of its turn. */
type Waiting = {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

function inUse(db: DatabaseSync, disk: Disk | undefined, close: () => void): Database {
  const folder = disk?.folder;
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  let waiting: Waiting[] = [];
  let running: Waiting[] | undefined;
  let rollbacks = 0;
  let failure: string | undefined;
  let version: string | undefined;
  // Read once for code that runs without a pause: a transaction has many items.
  const readVersion = (): string => {
    queueMicrotask(() => {
      version = undefined;
    });
    return `${dataVersion()}/${rollbacks}`;
  };
  const dataVersion = () => prepared('PRAGMA data_version').get()?.data_version;
  const synced =
    disk &&
    trackSync(disk, {
      dataVersion,
      commits: () => Number(prepared('SELECT commits FROM state').get()?.commits),
    });

  let triesUntilMs: number | undefined;
  /** Returns false while another process writes: to wait for it here would stop all else that this process does. */
  const tryBegin = (): boolean => {
    triesUntilMs ??= performance.now() + BUSY_TIMEOUT_MS;
    prepared('PRAGMA busy_timeout = 0').get();
    try {
      prepared('BEGIN IMMEDIATE').run();
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > triesUntilMs) throw error;
      return false;
    } finally {
      prepared(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`).get();
    }
  };

  const end = (): void => {
    waiting = [];
    running = undefined;
    triesUntilMs = undefined;
  };

  const commitAll = (begin = tryBegin): void => {
    // Committed already by the close of the database.
    if (waiting.length === 0) return;
    const group = waiting;
    const answers: (() => void)[] = [];
    const refuse = (error: unknown): void => {
      for (const { reject } of group) reject(error);
    };
    let commits: number;
    try {
      const loss = synced?.loss();
      if (loss) throw loss;
      if (!begin()) return void setTimeout(commitAll, BUSY_RETRY_MS);
      running = group;
      version = undefined;
      for (const { work, resolve, reject } of group) answers.push(answerOf(work, resolve, reject));
      commits = Number(prepared('UPDATE state SET commits = commits + 1 RETURNING commits').get()?.commits);
      prepared('COMMIT').run();
      failure = undefined;
    } catch (thrown) {
      const error = asUnavailable(thrown, folder);
      if (error instanceof StoreError) failure = error.message;
      if (db.isOpen && db.isTransaction) prepared('ROLLBACK').run();
      rollbacks += 1;
      version = undefined;
      end();
      refuse(error);
      return;
    }
    end();
    const settle = (error?: StoreError): void => {
      if (error) refuse(error);
      else for (const answer of answers) answer();
      // Those who were answered now may write again: they are in the same commit.
      if (waiting.length > 0) setImmediate(commitAll);
    };
    if (synced) synced.add(commits, settle);
    else settle();
  };

  const commit: Database['commit'] = (work) =>
    new Promise((resolve, reject) => {
      if (!running && waiting.length === 0 && !synced?.isSyncing()) setImmediate(commitAll);
      (running ?? waiting).push({ work, resolve: resolve as Waiting['resolve'], reject });
    });

  return {
    run: (sql, ...values) => void prepared(sql).run(...values),
    get: (sql, ...values) => prepared(sql).get(...values) as Row | undefined,
    each: (sql, ...values) => prepared(sql).iterate(...values) as Iterable<Row>,
    version: () => (version ??= readVersion()),
    commit,
    answer: async (command) => {
      try {
        return await command();
      } finally {
        // A refusal tells of what was read, too.
        await synced?.settled();
      }
    },
    snapshot: () => openSnapshot(db, folder && join(folder, FILE)),
    problem: async () => {
      const little = folder ? littleRoomIn(folder) : undefined;
      const loss = synced?.loss()?.message;
      if (loss || little || !failure) return loss ?? little;
      try {
        await commit(() => prepared(`INSERT INTO probe VALUES (zeroblob(${PROBE_BYTES}))`).run());
        await commit(() => prepared('DELETE FROM probe').run());
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    close: () => {
      synced?.finish();
      commitAll(() => prepared('BEGIN IMMEDIATE').run() !== undefined);
      synced?.finish();
      synced?.close();
      close();
    },
  };
}

function littleRoomIn(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder);
  const megabytes = Math.floor((bavail * bsize) / 1_024 / 1_024);
  if (bavail * bsize >= MIN_FREE_BYTES) return undefined;
  return `The disk of the store in ${folder} has ${megabytes} MB left. Free space on it: writes are refused when it is full.`;
}

// An error of SQLite itself (a full disk, a file that is gone) ends the whole group; one of the work is its own.
function answerOf(work: () => unknown, resolve: Waiting['resolve'], reject: Waiting['reject']): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR') throw error;
    return () => reject(error);
  }
}
