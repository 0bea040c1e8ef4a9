import { expect, test } from 'vitest';
import type { Counts } from '../../../shared/embedded/tables/strict.ts';
import { countListed, createOne, miscounted, newTarget } from '../../bench/documents/soak/documents.ts';
import { attemptsPerTransaction, keepInFlight, settled } from '../../bench/documents/soak/load.ts';
import { startSessionServer } from '../../bench/documents/soak/sessions.ts';
import { forFile } from '../../runner/for-file.ts';
import { ownStrictStores } from '../own-stores.ts';
import { runTasks } from './stage/run-tasks.ts';

// A moment of what npm run bench -- soak does for a minute: many callers write into one organization, on stores that
// cancel transactions that meet.

const IN_FLIGHT = 20;
const DOCUMENTS = 120;
const BATCH = 50;
const MAX_ATTEMPTS = 1.3;

const stores = await forFile(ownStrictStores());

/** Runs the load, and answers the attempts that a transaction took. */
async function attemptsOf(load: () => Promise<void>): Promise<number> {
  const before: Counts = structuredClone(stores.counts);
  await load();
  return attemptsPerTransaction(before, stores.counts);
}

test.each([0, 10])(
  'callers at once create documents of one organization in %i folders: none fails, few try again, lists are exact',
  async (folders) => {
    const target = await newTarget(folders);
    const attempts = await attemptsOf(async () => {
      const create = (n: number) => createOne(target, n);
      const { failures } = await keepInFlight(IN_FLIGHT, create, (started) => started >= DOCUMENTS);
      expect(failures).toEqual([]);
    });
    expect(await settled(() => miscounted(target))).toBe(0);
    expect(attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
  },
);

test('a batch of 50 at the session server is signed and concluded whole, and few transactions are tried again', async () => {
  const target = await newTarget(0);
  const server = await startSessionServer(target);
  try {
    const attempts = await attemptsOf(async () => {
      expect(await server.signBatch(BATCH)).toBe(0);
      await runTasks();
    });
    const concluded = async () => BATCH - (await countListed(target, { status: 'Concluded' }));
    expect(await settled(concluded)).toBe(0);
    expect(attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
  } finally {
    server.stop();
  }
});
