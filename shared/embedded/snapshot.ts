import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

export type Row = Record<string, null | number | bigint | string | Uint8Array>;

/** A database as it was at one moment, while others write to it. */
export type Snapshot = {
  readonly each: (sql: string, ...values: SQLInputValue[]) => Iterator<Row>;
  /** The log of the database grows until then. */
  readonly close: () => void;
};

/**
 * Opens a database as it is now: in a read transaction of a connection of its own. One in memory has no second
 * connection, and is copied.
 */
export function openSnapshot(database: DatabaseSync, file: string | undefined): Snapshot {
  const copy = file === undefined ? join(tmpdir(), `sinete-snapshot-${crypto.randomUUID()}.db`) : undefined;
  if (copy !== undefined) database.prepare('VACUUM INTO ?').run(copy);
  const reader = new DatabaseSync(file ?? copy ?? '', { readOnly: true });
  const close = (): void => {
    reader.close();
    if (copy !== undefined) rmSync(copy, { force: true });
  };
  try {
    // The transaction begins with its first read.
    reader.exec('BEGIN');
    reader.prepare('SELECT commits FROM state').get();
  } catch (error) {
    close();
    throw error;
  }
  return {
    each: (sql, ...values) => reader.prepare(sql).iterate(...values) as Iterator<Row>,
    close,
  };
}
