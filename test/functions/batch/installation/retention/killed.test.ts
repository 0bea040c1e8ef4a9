import { expect, test, vi } from 'vitest';
import { cleanUp } from '../../../../../functions/batch/installation/retention/domain/run.ts';
import { jobs } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { outputHolder } from '../../../../../functions/batch/jobs/domain/job/names.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import { files } from '../../../../../shared/files/files.ts';
import { beforeFirstAndAfterEach, killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { jobsInState } from '../../jobs/jobs-in-state.ts';
import { batchStage } from '../../stage.ts';
import {
  cleanUpIn,
  DAY_MS,
  eventsOf,
  exists,
  expectJobs,
  inDays,
  keep,
  outputOf,
  recordedRuns,
  runTasks,
  totalOf,
} from './world.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);

// A process is killed at each write of a run in turn, and the next run finishes the work:
//
//   run 1  |--write 1-- killed
//   tasks               |--go on--|   or   run 2 |--takes it over--|
test('a run that is killed at any write, and continued, ends with counts that add up and leaves nothing', async () => {
  keep({ Job: 90, Output: 90, Error: 90, Event: 365 });
  const writes = await beforeFirstAndAfterEach(async (write, moment) => {
    const isNothingWritten = moment === 'before';
    // Each is after every second write.
    const next = isNothingWritten || write % 2 === 0 ? 'task' : 'run';
    const name = `killed-${moment}-${write}`;
    const runsBefore = new Set((await recordedRuns()).map(({ id }) => id));
    const done = await made.completed(`${name}-a.txt`);
    const taken = await made.completed(`${name}-b.txt`);
    await files('batch').remove(outputOf(taken));
    const { id: failedId } = await stage.upload(`${name}-c.pdf`, 'not a PDF');
    await stage.run();
    const failed = await stage.job(failedId);
    const waiting = await made.queued(`${name}-d.txt`);
    const atMs = inDays(400);
    const untilMs = atMs - 365 * DAY_MS;
    const { totalCount: old } = await listEvents({ untilMs, page: 1, pageSize: 1 });
    const run = () => cleanUp({ deadlineAtMs: atMs + 60_000, by: 'operator' }, () => atMs);
    const isKilled = await killedAt(write, moment, run);
    if (next === 'task') await runTasks(atMs + DAY_MS);
    else await run();
    // Before its first write the run was nothing.
    if (isNothingWritten) await run();

    await expectJobs([waiting.id], [done.id, taken.id, failed.id]);
    const keys = [outputOf(done), `error/${failed.id}/${failed.fileName}`, failed.inputKey];
    expect(await Promise.all(keys.map(exists))).toEqual([false, false, false]);
    expect(await exists(waiting.inputKey)).toBe(true);
    for (const { outputName } of [done, taken]) expect(await outputHolder(outputName ?? '')).toBeUndefined();
    expect([await totalOf(), await totalOf({ profile: 'default' })]).toEqual([1, 1]);
    const recorded = (await recordedRuns()).filter(({ id }) => !runsBefore.has(id));
    expect(recorded.map(({ message }) => message)).toContain(
      `3 jobs, 1 files of output/, 1 files of error/ and ${old} events were deleted. 1 files that belong to no job were deleted. 1 outputs were not there any more.`,
    );
    expect(await eventsOf()).toBe(await eventsOf('CleanupRan'));
    expect(await runTasks(inDays(402))).toEqual([]);
    await stage.run();
    expect((await jobs.get(waiting.id))?.state).toBe('Completed');
    await cleanUpIn(401);
    return isKilled;
  });
  expect(writes).toBeGreaterThan(9);
});
