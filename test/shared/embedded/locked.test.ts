import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../shared/embedded/database.ts';

/** A store's database, and another process's connection that is writing to it. */
function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-locked-'));
  const database = openDatabase(folder);
  const other = new DatabaseSync(join(folder, 'store.db'));
  onTestFinished(() => {
    other.close();
    rmSync(folder, { recursive: true });
  });
  other.exec('BEGIN IMMEDIATE');
  const write = (token: string) =>
    database.commit(() => database.run('INSERT INTO tokens VALUES (?, ?, 0)', token, token));
  const count = () => database.get('SELECT count(*) AS n FROM tokens')?.n;
  return { database, other, write, count };
}

test('a commit waits for another process, and the event loop does not', async () => {
  const { database, other, write, count } = opened();
  const settled = vi.fn();
  const first = write('first').finally(settled);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(settled).not.toHaveBeenCalled();
  const second = write('second');
  other.exec('COMMIT');
  await Promise.all([first, second]);
  expect(count()).toBe(2);
  database.close();
});

test('a commit that another process keeps waiting for too long is refused, and the next one is made', async () => {
  const { database, other, write, count } = opened();
  // The time that it has is up at once.
  const now = vi.spyOn(performance, 'now').mockImplementationOnce(() => -1e9);
  onTestFinished(() => now.mockRestore());
  await expect(write('refused')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  other.exec('COMMIT');
  await write('made');
  expect(count()).toBe(1);
  database.close();
});
