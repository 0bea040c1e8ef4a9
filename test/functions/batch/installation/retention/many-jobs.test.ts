import { afterAll, expect, test, vi } from 'vitest';
import { cleanUp } from '../../../../../functions/batch/installation/retention/domain/run.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { ownStores } from '../../../own-stores.ts';
import { findLeft, makeOldJobs } from './old-jobs.ts';
import { inDays, recordedRuns } from './world.ts';

const stop = await ownStores();
// No commit folds the counts: that work is shared by some 32 of them.
vi.spyOn(Math, 'random').mockReturnValue(0.9);
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
});

const runAt = (nowMs: number) => cleanUp({ deadlineAtMs: nowMs + 60_000, by: 'operator' }, () => nowMs);

test('300 old jobs with their files, killed five times in the middle: the counts add up, with less than a call each', async () => {
  const { expected, outputNames } = await makeOldJobs(300, Date.now());
  const nowMs = inDays(366);
  const { total, byCommand } = await countCalls(async () => {
    for (const [n, write] of [4, 9, 14, 11, 8].entries())
      expect(await killedAt(write, n % 2 === 0 ? 'before' : 'after', () => runAt(nowMs))).toBe(true);
    await runAt(nowMs);
  });
  expect(await findLeft(outputNames)).toEqual([]);
  const { jobsDeleted, outputFilesDeleted, errorFilesDeleted, operationalEventsDeleted } = expected;
  expect((await recordedRuns())[0]?.message).toBe(
    `${jobsDeleted} jobs, ${outputFilesDeleted} files of output/, ${errorFilesDeleted} files of error/ and ${operationalEventsDeleted} events were deleted. 90 files that belong to no job were deleted. ${expected.filesMissing} outputs were not there any more.`,
  );
  // Fewer in a larger run: what a process does at its beginning and end is shared by more jobs.
  expect(total / 300, JSON.stringify(byCommand)).toBeLessThan(1);
});
