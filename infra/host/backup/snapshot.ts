import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';

// Another process may be writing. Its transactions take milliseconds.
const BUSY_TIMEOUT_MS = 30_000;

/** Opens the database of a store beside the process that works on it. */
export function openBeside(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CommandRefusal(`There is no store: ${file} does not exist.`);
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
}

/** Writes the database as it is at this moment to a new file. Writers go on meanwhile. */
export async function takeSnapshot(database: DatabaseSync, to: string): Promise<void> {
  database.prepare('VACUUM INTO ?').run(to);
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The facts of a snapshot that is not damaged. Throws `CommandRefusal` where it is. */
export function readSnapshot(file: string): { ids: Set<string>; rows: Record<string, number> } {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
    if (found !== 'ok') throw new CommandRefusal(`${file} is damaged: ${found.replaceAll('\n', ' ')}`);
    return { ids: new Set(contentIds(database)), rows: rowsOf(database) };
  } finally {
    database.close();
  }
}

/** The ids of the content that rows refer to: that of objects, and of the parts of uploads that are not complete. */
export function* contentIds(database: DatabaseSync): Generator<string> {
  for (const { content } of database
    .prepare('SELECT content FROM objects UNION SELECT content FROM parts')
    .iterate())
    yield String(content);
}

const rowsOf = (database: DatabaseSync): Record<string, number> =>
  Object.fromEntries(
    database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all()
      .map(({ name }) => [
        String(name),
        Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n),
      ]),
  );
