import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cleanUp } from '../../../../../functions/batch/installation/retention/domain/run.ts';
import { handler as cleanUpEndpoint } from '../../../../../functions/batch/installation/retention/endpoints/clean-up.ts';
import { handler as runRetention } from '../../../../../functions/batch/installation/retention/workers/run-retention.ts';
import { requireJob } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { movingJob } from '../../../../../functions/batch/jobs/domain/job/move-job.ts';
import { outputHolder } from '../../../../../functions/batch/jobs/domain/job/names.ts';
import { TASKS_QUEUE, type Task } from '../../../../../functions/batch/jobs/domain/job/tasks.ts';
import { handler as runTask } from '../../../../../functions/batch/pipeline/workers/run-task.ts';
import { s3 } from '../../../../../shared/files/client.ts';
import { files } from '../../../../../shared/files/files.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { jobsInState } from '../../jobs/jobs-in-state.ts';
import { ask } from '../../jobs/operator.ts';
import { batchStage } from '../../stage.ts';
import {
  cleanUpIn,
  eventsOf,
  exists,
  expectJobs,
  inDays,
  keep,
  NOTHING,
  outputOf,
  recordedRuns,
  runTasks,
  totalOf,
} from './world.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
beforeEach(() => keep({ Job: 90, Output: 90, Error: 90 }));
afterEach(async () => {
  await stage.run();
  keep({ Job: 1, Output: 1, Error: 1 });
  await runTasks(inDays(5_000));
  await cleanUpIn(5_000);
  expect(await totalOf()).toBe(0);
});

type Refusal = (command: string, input: { Key?: string; Prefix?: string; Delete?: unknown }) => boolean;

/** S3 answers 403 to some calls. A deletion of many answers so for the keys in question alone. */
function refuse(isRefused: Refusal, key?: string): () => void {
  const name = `refuse-${crypto.randomUUID()}`;
  s3().middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = args.input as Parameters<Refusal>[1];
        if (isRefused(commandName, input))
          throw Object.assign(new Error('Access denied.'), { $metadata: { httpStatusCode: 403 } });
        if (commandName !== 'DeleteObjectsCommand' || key === undefined) return next(args);
        const request = input.Delete as { Objects: { Key: string }[] };
        const Objects = request.Objects.filter(({ Key }) => Key !== key);
        return next({ ...args, input: { ...args.input, Delete: { Objects } } } as typeof args);
      },
    { step: 'initialize', name },
  );
  const restore = () => void s3().middlewareStack.remove(name);
  onTestFinished(restore);
  return restore;
}

describe('outputs that are not there any more', () => {
  test('are counted when their jobs are deleted, and their names are free', async () => {
    const taken = await made.completed('taken.txt');
    const stays = await made.completed('stays.txt');
    await files('batch').remove(outputOf(taken));
    keep({ Job: 90, Output: 200 });
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 2, filesMissing: 1 });
    expect([await outputHolder(taken.outputName ?? ''), await outputHolder(stays.outputName ?? '')]).toEqual([
      undefined,
      stays.id,
    ]);
    expect(await cleanUpIn(201)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1 });
    expect(await outputHolder(stays.outputName ?? '')).toBeUndefined();
  });

  test('are counted once where their jobs stay, also behind a job that waits', async () => {
    keep({ Output: 30 });
    const [one, two] = [await made.completed('one.txt'), await made.completed('two.txt')];
    const waiting = await made.inState('AwaitingApproval', 'waits.txt');
    const three = await made.completed('three.txt');
    for (const job of [one, three]) await files('batch').remove(outputOf(job));
    expect(await cleanUpIn(29)).toMatchObject(NOTHING);
    expect(await cleanUpIn(31)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1, filesMissing: 2 });
    for (const { outputName } of [one, two, three])
      expect(await outputHolder(outputName ?? '')).toBeUndefined();
    expect(await cleanUpIn(32)).toMatchObject(NOTHING);
    const four = await made.completed('four.txt');
    await files('batch').remove(outputOf(four));
    expect(await cleanUpIn(33)).toMatchObject({ ...NOTHING, filesMissing: 1 });
    await expectJobs([one.id, two.id, waiting.id, three.id, four.id], []);
    const stored = await requireJob(waiting.id);
    await commit(movingJob(stored, { event: 'approvalExpired', message: 'Expired.' }, Date.now()).writes);
  });
});

describe('an item that cannot be handled', () => {
  test('is counted as an error, the rest is done, and the next run handles it', async () => {
    const [bad, good] = [await made.completed('bad.txt'), await made.completed('good.txt')];
    const restore = refuse(
      (command, { Key }) => command === 'DeleteObjectCommand' && Key === outputOf(bad),
      outputOf(bad),
    );
    expect(await cleanUpIn(91)).toMatchObject({
      ...NOTHING,
      jobsDeleted: 2,
      outputFilesDeleted: 1,
      errors: 1,
      message: expect.stringContaining('1 items could not be handled'),
    });
    expect([await exists(outputOf(bad)), await exists(outputOf(good))]).toEqual([true, false]);
    expect(await outputHolder(bad.outputName ?? '')).toBe(bad.id);
    restore();
    expect(await cleanUpIn(92)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1 });
    expect(await outputHolder(bad.outputName ?? '')).toBeUndefined();
  });

  test('may be a whole folder that cannot be listed: jobs and the other folders are done', async () => {
    const { id } = await made.completed('unlisted.txt');
    const leftover = 'uploads/6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10/left.bin';
    await files('batch').put(leftover, Buffer.from('x'), { contentType: 'text/plain' });
    refuse((command, { Prefix }) => command === 'ListObjectsV2Command' && Prefix === 'output/');
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 1, errors: 1 });
    await expectJobs([], [id]);
    expect(await exists(leftover)).toBe(false);
  });

  test('may be a job whose output nobody can look for: it stays', async () => {
    keep({ Job: 90 });
    const { id } = await made.completed('unknown.txt');
    const failed = await made.failed('known.txt');
    const restore = refuse(
      (command, { Key }) => command === 'HeadObjectCommand' && (Key ?? '').startsWith('output/'),
    );
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 1, errors: 1 });
    await expectJobs([id], [failed.id]);
    restore();
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 1 });
  });

  test('may be a job whose files cannot be settled: it stays, and so does the work of the sweeper', async () => {
    const { job, slot } = await made.claimed('stuck.txt');
    await killedAt(4, 'before', () => stage.process({ job, slot }));
    const restore = refuse((command, { Key }) => command === 'DeleteObjectCommand' && Key === job.inputKey);
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1, errors: 1 });
    await expectJobs([job.id], []);
    restore();
    expect(await runTasks(inDays(92))).toEqual(['settleFiles']);
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 1 });
  });
});

describe('a run', () => {
  test('by POST /api/cleanup answers what it did, and is recorded with its totals and its operator', async () => {
    const { status, json } = await ask(cleanUpEndpoint, { method: 'POST' });
    expect([status, json()]).toEqual([
      200,
      { ...NOTHING, message: '0 jobs, 0 files of output/, 0 files of error/ and 0 events were deleted.' },
    ]);
    const operator = { type: 'CleanupRan', by: expect.stringMatching(/./) };
    // Runs of days to come are above it.
    const today = (await recordedRuns()).filter(({ timestamp }) => Date.parse(timestamp) <= Date.now());
    expect(today[0]).toMatchObject({ ...operator, message: (json() as { message: string }).message });
  });

  test('of the night is recorded only when it did something, and by nobody', async () => {
    const before = await eventsOf('CleanupRan');
    await runRetention();
    await cleanUpIn(1, null);
    expect(await eventsOf('CleanupRan')).toBe(before);
    await made.completed('nightly.txt');
    await cleanUpIn(5_001, null);
    expect((await recordedRuns())[0]).toMatchObject({
      message: '1 jobs, 1 files of output/, 0 files of error/ and 0 events were deleted.',
      by: null,
    });
  });

  // A run that takes 95 % of the time of its function is an alarm, and going on in tasks is no reason for one.
  test('of the night leaves the last minute of its function alone, and goes on in the background', async () => {
    await runRetention(undefined, { getRemainingTimeInMillis: () => 65_000 });
    expect(await drainQueue<Task>('batch', TASKS_QUEUE, runTask)).toEqual([{ task: 'cleanUp' }]);
  });

  test('that is out of time goes on in the background, from where it was', async () => {
    for (let n = 0; n < 3; n++) await made.completed(`background-${n}.txt`);
    const startMs = inDays(91);
    const late = await cleanUp({ deadlineAtMs: startMs + 10_000, by: 'operator' }, () => startMs);
    expect(late).toMatchObject({
      ...NOTHING,
      message: expect.stringContaining('The rest is deleted in the background.'),
    });
    const runs = await eventsOf('CleanupRan');
    // The worker has a clock of its own; the ages of a run are those of its start.
    expect(await drainQueue<Task>('batch', TASKS_QUEUE, runTask)).toEqual([{ task: 'cleanUp' }]);
    expect([await totalOf(), await eventsOf('CleanupRan')]).toEqual([0, runs + 1]);
    expect(await runTasks(inDays(92))).toEqual([]);
  });

  // A second passes between two looks at the clock: the call ends somewhere in the middle.
  test.each([1, 2, 3, 5, 8, 12])(
    'that ends after %i looks at the clock, and is continued, counts everything once',
    async (seconds) => {
      const before = await eventsOf('CleanupRan');
      for (let n = 0; n < 3; n++) await made.completed(`look-${seconds}-${n}.txt`);
      await files('batch').remove(`output/look-${seconds}-0.txt.p7m`);
      const startMs = inDays(91);
      let looks = 0;
      const now = () => startMs + 1_000 * looks++;
      const first = await cleanUp({ deadlineAtMs: startMs + 10_000 + 1_000 * seconds, by: 'operator' }, now);
      const second = await cleanUpIn(91);
      const sum = (name: keyof typeof NOTHING) => first[name] + second[name];
      expect([sum('jobsDeleted'), sum('outputFilesDeleted'), sum('filesMissing'), sum('errors')]).toEqual([
        3, 2, 1, 0,
      ]);
      expect(await eventsOf('CleanupRan')).toBe(before + (first.message.includes('background') ? 1 : 2));
      await runTasks(inDays(92));
    },
  );

  test('of two at once: each item is counted by one, and one of them ends the run', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await made.completed(`two-${n}.txt`)).id);
    const before = await eventsOf('CleanupRan');
    const results = await Promise.all([cleanUpIn(91), cleanUpIn(91)]);
    const sum = (name: keyof typeof NOTHING) => results.reduce((total, result) => total + result[name], 0);
    expect([sum('jobsDeleted'), sum('outputFilesDeleted'), sum('filesMissing'), sum('errors')]).toEqual([
      6, 6, 0, 0,
    ]);
    await expectJobs([], ids);
    expect((await eventsOf('CleanupRan')) - before).toBeGreaterThan(0);
    expect(await runTasks(inDays(92))).toEqual([]);
  });

  test('deletes no file that was written in the place of one that a killed run has deleted', async () => {
    const key = 'output/foreign.bin';
    const put = (text: string) => files('batch').put(key, Buffer.from(text), { contentType: 'text/plain' });
    await put('old');
    // The writes: the run, the pending files, their deletion. Then it is killed, and nothing is counted.
    expect(await killedAt(3, 'after', () => cleanUpIn(91))).toBe(true);
    expect(await exists(key)).toBe(false);
    await put('new');
    // Only what was pending: the new file is not old by any clock.
    keep({});
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1 });
    expect((await files('batch').read(key, 10))?.toString()).toBe('new');
  });
});
