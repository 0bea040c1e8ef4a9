import { describe, expect, test } from 'vitest';
import {
  batches,
  batchList,
  degreeIdOf,
} from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { handler as runBatches } from '../../../../../functions/credentials/degrees/batches/workers/run-degree-batch.ts';
import { items } from '../../../../../functions/credentials/items/domain/item.ts';
import { sendDueMessages } from '../../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../../shared/queue/schedule.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { ownStores } from '../../../own-stores.ts';
import { errorsOf, listedDegrees, ownStage, run, type Stage, sendBatch } from './stage.ts';

await forFile(ownStores());

/** What a process does that starts after another was killed: the sweep of due messages, and the work that they ask for. */
async function restarted(): Promise<void> {
  const later = () => Date.now() + 600_000;
  await scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'), later)();
  await drainQueue('credentials', 'batches', runBatches);
}

const LINES = 4;
const BAD = 3;
const linesFor = ({ degree }: Stage) =>
  Array.from({ length: LINES }, (_, n) => (n + 1 === BAD ? 'bad' : degree(n + 1)));

async function expectOnce(stage: Stage, id: string, why: unknown): Promise<void> {
  const good = Array.from({ length: LINES }, (_, n) => n + 1).filter((line) => line !== BAD);
  const ids = good.map((line) => degreeIdOf(id, line));
  const { state, created, failed, line } = (await batches.get(id)) ?? {};
  expect([why, state, created, failed, line]).toEqual([why, 'Finished', good.length, 1, LINES]);
  expect((await errorsOf(stage, { id })).map((error) => error.line)).toEqual([BAD]);
  expect(await listedDegrees(stage)).toEqual({ ids: ids.toSorted(), total: good.length });
  const finished = await batchList(stage.organizationId, 'Finished').page({ page: 1, pageSize: 9 });
  expect(finished).toEqual({ ids: [id], total: 1 });
}

/** Runs a case for every write, until a run is not killed any more. Answers the number of writes. */
async function atEveryWrite(work: (write: number) => Promise<boolean>): Promise<number> {
  for (let write = 1; ; write++) if (!(await work(write))) return write - 1;
}

//   worker 1  |--files--degree--files--degree-- killed
//   worker 2                                     |--skips what exists--the others--|checkpoint|
describe('a worker that is killed at any of its writes', () => {
  // One that is killed before a write leaves what one leaves that is killed after the write before it.
  test('after it: each line is created once or reported, and counted once', async () => {
    const writes = await atEveryWrite(async (write) => {
      const stage = await ownStage();
      const { id } = await sendBatch(stage, linesFor(stage));
      const isKilled = await killedAt(write, 'after', () => run({ id }));
      await restarted();
      await expectOnce(stage, id, write);
      return isKilled;
    });
    // Two files and a transaction of each degree, the checkpoint, the file that is removed, and messages.
    expect(writes).toBeGreaterThan(3 * (LINES - 1) + 1);
  });

  test('five times in a row: the same', async () => {
    const stage = await ownStage();
    const { id } = await sendBatch(stage, linesFor(stage));
    // Writes that were on their way land: the last runs may find less to do than they are killed at.
    const kills: boolean[] = [];
    for (const write of [2, 4, 5, 3, 6]) kills.push(await killedAt(write, 'after', () => run({ id })));
    expect(kills.slice(0, 3)).toEqual([true, true, true]);
    await restarted();
    await expectOnce(stage, id, 'five kills');
  });
});

test('a call that is killed at any of its writes creates a batch that is worked through, or none', async () => {
  const writes = await atEveryWrite(async (write) => {
    const stage = await ownStage();
    const isKilled = await killedAt(write, 'after', () => sendBatch(stage, linesFor(stage)));
    await restarted();
    const { ids } = await batchList(stage.organizationId).page({ page: 1, pageSize: 9 });
    const [id] = ids;
    if (id) await expectOnce(stage, id, write);
    else expect([write, (await listedDegrees(stage)).total]).toEqual([write, 0]);
    return isKilled;
  });
  expect(writes).toBeGreaterThan(1);
});

test('files that a killed run left are named by no degree', async () => {
  const stage = await ownStage();
  const { id } = await sendBatch(stage, [stage.degree(1)]);
  await killedAt(2, 'after', () => run({ id })); // both files, no degree
  expect(await items.get({ kind: 'degree', id: degreeIdOf(id, 1) })).toBeUndefined();
  await restarted();
  expect(await items.get({ kind: 'degree', id: degreeIdOf(id, 1) })).toBeDefined();
});
