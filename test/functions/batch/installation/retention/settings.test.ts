import { afterEach, describe, expect, test, vi } from 'vitest';
import { failJob, JobFailure } from '../../../../../functions/batch/jobs/domain/engine/end-job.ts';
import { settleFiles } from '../../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { jobStates } from '../../../../../functions/batch/jobs/domain/job/states.ts';
import { handler as clear } from '../../../../../functions/batch/jobs/endpoints/clear-jobs.ts';
import { handler as getOutput } from '../../../../../functions/batch/jobs/endpoints/get-job-output.ts';
import { listEvents } from '../../../../../functions/batch/operations/domain/list-events.ts';
import { EVENT_TYPES, type EventType } from '../../../../../functions/batch/operations/event-types.ts';
import { files } from '../../../../../shared/files/files.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { jobsInState } from '../../jobs/jobs-in-state.ts';
import { ask, refusalOf } from '../../jobs/operator.ts';
import { batchStage } from '../../stage.ts';
import { cleanUpIn, eventsOf, exists, expectJobs, inDays, keep, keysOf, NOTHING, totalOf } from './world.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
afterEach(async () => {
  await stage.run();
  await ask(clear, { method: 'DELETE' });
  for (const folder of ['output', 'error', 'uploads', 'processing'])
    await files('batch').removeMany((await keysOf(folder)).map((key) => ({ key })));
});

/** A completed job, a failed one and a canceled one, with their files. */
async function finishedJobs(name: string) {
  const completed = await made.completed(`${name}.txt`);
  const { id } = await stage.upload(`${name}-failed.pdf`, 'not a PDF');
  await stage.run();
  const failed = await stage.job(id);
  const canceled = await made.canceled(`${name}-canceled.txt`);
  const output = `output/${completed.outputName}`;
  const error = `error/${failed.id}/${failed.fileName}`;
  return { completed, failed, canceled, output, error, ids: [completed.id, failed.id, canceled.id] };
}

const nameOf = (id: string) => ({ params: { id } });

describe('each setting alone', () => {
  test('Retention:JobDays deletes the jobs and frees their names; the output stays, under its reserved name', async () => {
    keep({ Job: 90 });
    const { ids, output, error, completed } = await finishedJobs('by-job');
    expect(await cleanUpIn(89)).toMatchObject(NOTHING);
    await expectJobs(ids, []);
    await expect(made.queued('by-job.txt')).rejects.toMatchObject({ code: 'file.already-processed' });
    expect(await cleanUpIn(91)).toMatchObject({ ...NOTHING, jobsDeleted: 3 });
    await expectJobs([], ids);
    expect([
      await totalOf(),
      await totalOf({ profile: 'default' }),
      await totalOf({ status: 'Failed' }),
    ]).toEqual([0, 0, 0]);
    expect([await exists(output), await exists(error)]).toEqual([true, true]);
    const again = await made.completed('by-job.txt');
    expect(again.outputName).not.toBe(completed.outputName);
  });

  test('Retention:OutputDays deletes outputs of jobs that stay, which answer 410, and frees their names', async () => {
    keep({ Output: 30 });
    const { ids, output, error, completed } = await finishedJobs('by-output');
    expect(await cleanUpIn(29)).toMatchObject(NOTHING);
    expect((await ask(getOutput, nameOf(completed.id))).status).toBe(200);
    expect(await cleanUpIn(31)).toMatchObject({ ...NOTHING, outputFilesDeleted: 1 });
    await expectJobs(ids, []);
    expect([await exists(output), await exists(error)]).toEqual([false, true]);
    expect(await refusalOf(getOutput, nameOf(completed.id))).toEqual([410, 'job.output-gone']);
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    const again = await made.completed('by-output.txt');
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(again.outputName).toBe(completed.outputName);
    // The new file is the new job's.
    expect((await ask(getOutput, nameOf(again.id))).status).toBe(200);
    expect(await cleanUpIn(29)).toMatchObject(NOTHING);
    expect(await exists(output)).toBe(true);
  });

  test('Retention:ErrorDays deletes files of error/', async () => {
    keep({ Error: 10 });
    const { ids, output, error } = await finishedJobs('by-error');
    expect(await cleanUpIn(9)).toMatchObject(NOTHING);
    expect(await cleanUpIn(11)).toMatchObject({ ...NOTHING, errorFilesDeleted: 1 });
    await expectJobs(ids, []);
    expect([await exists(output), await exists(error)]).toEqual([true, false]);
  });

  test('Retention:EventDays deletes events, and the counts of every type stay exact', async () => {
    keep({ Event: 365 });
    const { ids } = await finishedJobs('by-event');
    // Runs are recorded on the day that they ran, which is a later one.
    const old = (await eventsOf()) - (await eventsOf('CleanupRan'));
    expect(old).toBeGreaterThan(6);
    expect(await cleanUpIn(364)).toMatchObject(NOTHING);
    expect(await cleanUpIn(366)).toMatchObject({ ...NOTHING, operationalEventsDeleted: old });
    const types = Object.keys(EVENT_TYPES) as EventType[];
    const left = await Promise.all(types.map(async (type) => [type, await eventsOf(type)] as const));
    const runs = await eventsOf('CleanupRan');
    expect(left.filter(([, count]) => count !== 0)).toEqual([['CleanupRan', runs]]);
    expect(await eventsOf()).toBe(runs);
    const { items, totalCount } = await listEvents({ page: 1, pageSize: 50 });
    expect([items.length, totalCount]).toEqual([runs, runs]);
    await expectJobs(ids, []);
  });

  test('0 keeps everything forever', async () => {
    keep({});
    const { ids, output, error } = await finishedJobs('forever');
    expect(await cleanUpIn(10_000)).toMatchObject(NOTHING);
    await expectJobs(ids, []);
    expect([await exists(output), await exists(error)]).toEqual([true, true]);
  });
});

test('by default jobs and files go after 90 days, and events after 365', async () => {
  for (const kind of ['Job', 'Output', 'Error', 'Event']) vi.stubEnv(`Retention__${kind}Days`, undefined);
  const { ids, output, error, failed, canceled } = await finishedJobs('default');
  const events = await eventsOf();
  expect(await cleanUpIn(91)).toMatchObject({
    ...NOTHING,
    jobsDeleted: 3,
    outputFilesDeleted: 1,
    errorFilesDeleted: 1,
  });
  await expectJobs([], ids);
  // The inputs of the deleted jobs too.
  const keys = [output, error, failed.inputKey, canceled.inputKey];
  expect(await Promise.all(keys.map(exists))).toEqual([false, false, false, false]);
  expect(await eventsOf()).toBe(events + 1);
  // The same name again, with the same output.
  expect((await made.completed('default.txt')).outputName).toBe('default.txt.p7m');
});

test('a job is as old as its end: one that was created long ago and ended lately stays', async () => {
  keep({ Job: 90 });
  const claim = await made.claimed('late.txt');
  const endedAtMs = inDays(60);
  await settleFiles(
    await failJob(claim, new JobFailure('job.signing-failed'), { hasNoOutput: true }, endedAtMs),
    endedAtMs,
  );
  expect(await cleanUpIn(149)).toMatchObject(NOTHING);
  await expectJobs([claim.job.id], []);
  expect(await cleanUpIn(151)).toMatchObject({ ...NOTHING, jobsDeleted: 1 });
});

// The last: the jobs of states that only other services end stay.
test('an unfinished job of any state is never touched, nor are its files', async () => {
  keep({ Job: 1, Output: 1, Error: 1, Event: 1 });
  const states = jobStates.states.filter((state) => !jobStates.isTerminal(state));
  const kept: string[] = [];
  for (const state of states.toSorted((state) => (state === 'Queued' ? 1 : -1)))
    kept.push((await made.inState(state, `unfinished-${state}.txt`)).id);
  const put = (key: string) => files('batch').put(key, Buffer.from('x'), { contentType: 'text/plain' });
  // Files that a worker of each may be about to read or write.
  for (const id of kept) for (const folder of ['processing', 'error']) await put(`${folder}/${id}/a.txt`);
  const before = await Promise.all(['processing', 'error', 'uploads'].map(keysOf));
  expect(before.map((keys) => keys.length)).toEqual([5, 5, 5]);
  expect(await cleanUpIn(400)).toMatchObject({ jobsDeleted: 0, errors: 0 });
  expect(await Promise.all(['processing', 'error', 'uploads'].map(keysOf))).toEqual(before);
  await expectJobs(kept, []);
});
