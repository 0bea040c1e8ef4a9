import type { SQSEvent } from 'aws-lambda';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { interruptJob } from '../../../../functions/batch/jobs/domain/engine/end-job.ts';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { TASKS_QUEUE } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { killedAt } from '../../../faults/crash.ts';
import { drainQueue } from '../../drain-queue.ts';
import { batchStage, type Stage } from '../stage.ts';

// The service is killed at each of its writes in turn. Nothing of it goes on. Later
// another worker finds the slot without a worker, and the sweeper the outbox entries that are left:
//
//   worker 1  |--claim--stage--sign-- killed
//   worker 2                               lease over |--job: Failed--files to error/--|
//
// Whatever the moment: one job for a file that was answered, Completed or Failed; its files in their places; lists, names
// and slots add up.

const stage: Stage = await batchStage();
afterAll(() => stage.stop());

const LATER_MS = 600_000;
const sweep = scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now() + LATER_MS);

/** What other workers and the sweeper do after the lease of a killed one has ended. */
async function recover(): Promise<void> {
  const claimed = await claimJob(Date.now() + LATER_MS);
  if (claimed) await stage.process(claimed);
  await stage.run();
  await sweep();
  await drainQueue('batch', TASKS_QUEUE, runTask as (event: SQSEvent) => ReturnType<typeof runTask>);
}

const keysOf = async (prefix: string) => (await files('batch').list(prefix)).files.map(({ key }) => key);

/** Every job of this name. */
async function jobsOf(fileName: string): Promise<Job[]> {
  const { ids } = await jobList().page({ page: 1, pageSize: 200 });
  return (await jobs.getMany(ids)).filter((job) => job.fileName === fileName);
}

async function expectSettled(job: Job): Promise<void> {
  expect((await readFlight()).slots).toEqual([]);
  expect(await keysOf(`processing/${job.id}`)).toEqual([]);
  const { ids } = await jobList({ state: job.state as 'Completed' | 'Failed' }).page({
    page: 1,
    pageSize: 200,
  });
  expect(ids).toContain(job.id);
  const inputs = await keysOf(`uploads/${job.id}`);
  const outputs = (await keysOf('output/')).filter((key) => key.includes(job.fileName));
  if (job.state === 'Completed') {
    expect(inputs).toEqual([]);
    expect(outputs).toEqual([`output/${job.outputName}`]);
    await expect(stage.upload(job.fileName, 'x')).rejects.toMatchObject({ code: 'file.already-processed' });
  } else {
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted', outputName: null });
    expect(inputs).toHaveLength(1);
    expect(outputs).toEqual([]);
  }
}

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('of an upload: no job, or one that is signed', async () => {
    for (let write = 1; ; write++) {
      const name = `upload-${write}.bin`;
      const wasKilled = await killedAt(write, 'after', () => stage.upload(name, 'content'));
      await recover();
      const found = await jobsOf(name);
      expect(found.length).toBeLessThanOrEqual(1);
      for (const job of found) await expectSettled(job);
      if (!wasKilled) return expect(write).toBeGreaterThan(2);
    }
  });

  test('of a job: it ends once, Completed or Failed, and its files are in their places', async () => {
    const ends = new Set<string>();
    for (let write = 1; ; write++) {
      const name = `job-${write}.bin`;
      const { id } = await stage.upload(name, 'content');
      const wasKilled = await killedAt(write, 'after', () => stage.run());
      await recover();
      const job = await stage.job(id);
      ends.add(job.state);
      await expectSettled(job);
      expect(await jobsOf(name)).toHaveLength(1);
      if (!wasKilled) {
        expect([...ends].toSorted()).toEqual(['Completed', 'Failed']);
        return expect(write).toBeGreaterThan(6);
      }
    }
  });
});

test('a worker whose lease had ended finishes nothing: its fence is old', async () => {
  const { id } = await stage.upload('stalled.bin', 'content');
  const stalled = await stage.claim();
  if (!stalled) throw new Error('It is the only job.');
  await recover();
  expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  await stage.process(stalled);
  expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
  expect(await keysOf('output/stalled')).toEqual([]);
});

// Two workers find the slot of a worker that is gone:
//
//   worker 1  |--reads slot 0 of job A--|--A: Failed, slot 0 freed--|--B: Processing + slot 0--|
//   worker 2    |--reads slot 0 of job A---------------------------------------------------------|--A has ended--|
//
// Were slot 0 removed then, B would be in flight without one: above the limit, and found by nobody after a crash.
test('a worker that is late to free the slot of another leaves the job that has it by now', async () => {
  await stage.upload('gone.bin', 'content');
  await stage.claim();
  const [found] = (await readFlight()).slots;
  if (!found) throw new Error('The job is in flight.');
  const next = await stage.upload('next.bin', 'content');
  const laterMs = Date.now() + LATER_MS;
  const claimed = await claimJob(laterMs);
  await interruptJob(found, laterMs);
  expect((await readFlight()).slots).toMatchObject([{ number: found.number, jobId: next.id }]);
  if (claimed) await stage.process(claimed);
  expect(await stage.job(next.id)).toMatchObject({ state: 'Completed' });
});

test('a slot whose job is deleted is freed', async () => {
  const { id } = await stage.upload('deleted.bin', 'content');
  await stage.claim();
  await commit([jobs.removing(id)]);
  await claimJob(Date.now() + LATER_MS);
  expect((await readFlight()).slots).toEqual([]);
});

test('an engine that starts anew fails the jobs of its last start at once', async () => {
  vi.stubEnv('Pipeline__Boot', 'first');
  const { id } = await stage.upload('restart.bin', 'content');
  await stage.claim();
  expect(await stage.run()).toMatchObject({ taken: 0 });
  vi.stubEnv('Pipeline__Boot', 'second');
  await stage.run();
  expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.interrupted' });
});
