import { afterEach, describe, expect, test, vi } from 'vitest';
import { clearJobs } from '../../../../functions/batch/jobs/domain/clear-jobs.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { TASKS_QUEUE, type Task } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { handler as clear } from '../../../../functions/batch/jobs/endpoints/clear-jobs.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { batchStage } from '../stage.ts';
import { jobsInState, OPERATOR } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
afterEach(async () => {
  await stage.run();
  await ask(clear, { method: 'DELETE' });
});

const LATER = 600_000;

/** Runs the tasks that a process has recorded, as the sweeper and the workers do when it is gone. */
async function runTasks(): Promise<string[]> {
  const atMs = Date.now() + LATER;
  await scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => atMs)();
  return (await drainQueue<Task>('batch', TASKS_QUEUE, runTask)).map(({ task }) => task);
}

const totalOf = async (filter: Parameters<typeof listJobs>[0] = {}) =>
  (await listJobs(filter, { page: 1, pageSize: 1 })).totalCount;
const clearedEvents = async () =>
  (await listEvents({ type: 'JobsCleared', page: 1, pageSize: 200 })).items.map(({ message }) => message);
const deletedInEvents = async () =>
  (await clearedEvents()).reduce((sum, message) => sum + Number.parseInt(message, 10), 0);

describe('clearing', () => {
  test('frees the names of completed jobs, and leaves their files', async () => {
    const { outputName } = await made.completed('named.txt');
    await expect(made.queued('named.txt')).rejects.toMatchObject({ code: 'file.already-processed' });
    await ask(clear, { method: 'DELETE' });
    expect(await files('batch').head(`output/${outputName}`)).toBeDefined();
    // The file of the first is still there, so the second has another name.
    const again = await made.completed('named.txt');
    expect(again.outputName).toBe(`named.txt.${again.id.slice(0, 8)}.p7m`);
  });

  test('deletes several jobs of one name, and the name is free when the last is gone', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    for (let n = 0; n < 3; n++) await made.completed('shared-name.txt');
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    await expect(made.queued('shared-name.txt')).rejects.toMatchObject({ code: 'file.already-processed' });
    expect((await ask(clear, { method: 'DELETE' })).json()).toMatchObject({ deleted: 3 });
    expect((await made.queued('shared-name.txt')).state).toBe('Queued');
  });

  test('takes no filter: one is refused, and nothing is deleted', async () => {
    const { id } = await made.failed('filtered.txt');
    const filtered = { method: 'DELETE', query: { status: 'Completed' } };
    expect(await refusalOf(clear, filtered)).toEqual([400, 'validation.filter-invalid']);
    expect(await jobs.get(id)).toBeDefined();
  });

  test('leaves jobs that were created after the call', async () => {
    const before = await made.failed('before.txt');
    const calledAtMs = before.createdAtMs + 1;
    const after = await made.failed('after.txt');
    expect(after.createdAtMs).toBeGreaterThan(before.createdAtMs);
    await clearJobs(OPERATOR, { deadlineAtMs: calledAtMs + 60_000 }, () => calledAtMs);
    expect([await jobs.get(before.id), (await jobs.get(after.id))?.id]).toEqual([undefined, after.id]);
  });

  // The writes of a job: staged copy, Verifying, output, Completed. The fifth is the deletion of the input.
  test('first puts the files of a job in their places, where its worker was killed before it could', async () => {
    const { job, slot } = await made.claimed('unsettled.txt');
    const isKilled = await killedAt(4, 'before', () => stage.process({ job, slot }));
    expect([isKilled, (await stage.job(job.id)).state]).toEqual([true, 'Completed']);
    expect(await files('batch').head(job.inputKey ?? '')).toBeDefined();
    await ask(clear, { method: 'DELETE' });
    expect(await jobs.get(job.id)).toBeUndefined();
    expect(await files('batch').head(job.inputKey ?? '')).toBeUndefined();
    expect((await files('batch').list(`processing/${job.id}/`)).files).toEqual([]);
    expect(await runTasks()).toEqual([]);
  });

  test('that is out of time goes on in the background', async () => {
    for (let n = 0; n < 4; n++) await made.failed(`late-${n}.txt`);
    const before = await deletedInEvents();
    const nowMs = Date.now();
    const result = await clearJobs(OPERATOR, { deadlineAtMs: nowMs + 10_000 }, () => nowMs);
    expect(result).toEqual({
      deleted: 0,
      skipped: 0,
      message:
        '0 jobs were deleted, and 4 more are deleted in the background. 0 stay: they are not finished.',
    });
    expect(await drainQueue<Task>('batch', TASKS_QUEUE, runTask)).toMatchObject([{ task: 'clearJobs' }]);
    expect([await totalOf(), (await deletedInEvents()) - before]).toEqual([0, 4]);
    expect(await runTasks()).toEqual([]);
  });

  test('of more jobs than a page and a commit hold stops between two commits, and the rest follows', async () => {
    const many = 130;
    for (let from = 0; from < many; from += 10)
      await Promise.all(Array.from({ length: 10 }, (_, n) => made.canceled(`many-${from + n}.txt`)));
    const before = await deletedInEvents();
    const startMs = Date.now();
    let looks = 0;
    // A second passes between two looks at the clock, and the call has five.
    const { deleted } = await clearJobs(
      OPERATOR,
      { deadlineAtMs: startMs + 15_000 },
      () => startMs + 1_000 * looks++,
    );
    expect(deleted).toBeGreaterThan(15);
    expect(deleted).toBeLessThan(many);
    expect(await totalOf()).toBe(many - deleted);
    await drainQueue<Task>('batch', TASKS_QUEUE, runTask);
    expect([await totalOf(), (await deletedInEvents()) - before]).toEqual([0, many]);
  });

  test('by two at once deletes and counts each job once', async () => {
    for (let n = 0; n < 6; n++) await made.failed(`two-${n}.txt`);
    const before = await deletedInEvents();
    const nowMs = Date.now();
    const results = await Promise.all(
      [1, 2].map(() => clearJobs(OPERATOR, { deadlineAtMs: nowMs + 60_000 }, Date.now)),
    );
    expect(results.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(6);
    expect([await totalOf(), (await deletedInEvents()) - before]).toEqual([0, 6]);
  });
});

// A process is killed at each write of a call in turn. Then the sweeper sends what it recorded, and the operator calls
// again.
// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('clearing that is killed after a write', () => {
  test('deletes and counts each job once, and lists, names and tasks add up', async () => {
    const before = await deletedInEvents();
    let expected = 0;
    let writes = 0;
    for (let isKilled = true; isKilled; writes++) {
      const name = `killed-${writes}`;
      const done = await made.completed(`${name}-a.txt`);
      const failed = await made.failed(`${name}-b.txt`);
      const waiting = await made.queued(`${name}-c.txt`);
      expected += 2;
      isKilled = await killedAt(writes + 1, 'after', () =>
        clearJobs(OPERATOR, { deadlineAtMs: Date.now() + 60_000 }, Date.now),
      );
      await runTasks();
      await clearJobs(OPERATOR, { deadlineAtMs: Date.now() + 60_000 }, Date.now);
      expect(await jobs.getMany([done.id, failed.id])).toEqual([]);
      expect([await totalOf(), await totalOf({ profile: 'default' })]).toEqual([1, 1]);
      expect((await deletedInEvents()) - before).toBe(expected);
      await stage.run();
      expect((await stage.job(waiting.id)).state).toBe('Completed');
      expected += 1;
      await clearJobs(OPERATOR, { deadlineAtMs: Date.now() + 60_000 }, Date.now);
      expect((await made.canceled(`${name}-a.txt`)).state).toBe('Canceled');
      expected += 1;
      await clearJobs(OPERATOR, { deadlineAtMs: Date.now() + 60_000 }, Date.now);
      expect(await runTasks()).toEqual([]);
    }
    expect(writes).toBeGreaterThan(3);
  });
});

// The last: the jobs of states that only other services end stay.
test('clearing deletes finished jobs with their entries, skips the others, and is recorded', async () => {
  const finished = jobStates.states.filter(jobStates.isTerminal);
  const others = jobStates.states.filter((state) => !jobStates.isTerminal(state));
  const gone: string[] = [];
  for (const state of finished) gone.push((await made.inState(state, `clear-${state}.txt`)).id);
  const kept: string[] = [];
  // A queued one is the last: a claim would take it.
  for (const state of others.toSorted((state) => (state === 'Queued' ? 1 : -1)))
    kept.push((await made.inState(state, `clear-${state}.txt`)).id);

  const { status, json } = await ask(clear, { method: 'DELETE' });
  expect([status, json()]).toEqual([
    200,
    { deleted: 3, skipped: 5, message: '3 jobs were deleted. 5 stay: they are not finished.' },
  ]);
  expect(await jobs.getMany(gone)).toEqual([]);
  expect(await jobs.getMany(kept)).toHaveLength(others.length);
  for (const state of finished) expect([state, await totalOf({ status: state })]).toEqual([state, 0]);
  expect([await totalOf(), await totalOf({ profile: 'default' })]).toEqual([5, 5]);
  const { items } = await listEvents({ type: 'JobsCleared', page: 1, pageSize: 1 });
  expect(items[0]).toMatchObject({ message: '3 finished jobs were deleted.', by: expect.any(String) });
});
