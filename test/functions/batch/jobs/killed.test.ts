import { describe, expect, test, vi } from 'vitest';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { jobsInState, OPERATOR } from './jobs-in-state.ts';

// A process is killed at each of its writes in turn, and its caller tries again:
//
//   process 1  |--write 1-- killed
//   process 2                 |--the same call--|--a worker ends the jobs--|

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);

const codeOf = (error: { code?: string }) => error.code ?? 'unknown';
const totalOf = async (status?: 'Canceled' | 'Completed' | 'Queued') =>
  (await listJobs({ status }, { page: 1, pageSize: 1 })).totalCount;
const eventsOf = async (type: 'JobCanceled' | 'JobCreated') =>
  (await listEvents({ type, page: 1, pageSize: 1 })).totalCount;

/** Runs a case for every write, until a run is not killed any more. Answers the number of writes. */
async function atEveryWrite(run: (write: number) => Promise<boolean>): Promise<number> {
  for (let write = 1; ; write++) if (!(await run(write))) return write - 1;
}

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
describe('killed after a write', () => {
  test('of an upload: the name is signed once, and is free until then', async () => {
    const writes = await atEveryWrite(async (write) => {
      const name = `upload-${write}.txt`;
      const before = { jobs: await totalOf(), created: await eventsOf('JobCreated') };
      const isKilled = await killedAt(write, 'after', () => made.queued(name));
      const again = await made.queued(name).then(() => 'queued', codeOf);
      await stage.run();
      expect([write, ['queued', 'job.already-processing'].includes(again)]).toEqual([write, true]);
      expect([(await totalOf()) - before.jobs, (await eventsOf('JobCreated')) - before.created]).toEqual([
        1, 1,
      ]);
      expect(await made.queued(name).catch(codeOf)).toBe('file.already-processed');
      return isKilled;
    });
    expect(writes).toBeGreaterThan(1);
  });

  test('of a cancel: the job is canceled and counted once, and its name is free', async () => {
    const writes = await atEveryWrite(async (write) => {
      const name = `cancel-${write}.txt`;
      const before = { canceled: await totalOf('Canceled'), events: await eventsOf('JobCanceled') };
      const { id } = await made.queued(name);
      const cancel = () => cancelJob(OPERATOR, { id }, Date.now());
      const isKilled = await killedAt(write, 'after', cancel);
      await cancel().catch((error) => expect(codeOf(error)).toBe('job.not-queued'));
      expect([
        write,
        (await stage.job(id)).history.length,
        (await totalOf('Canceled')) - before.canceled,
        (await eventsOf('JobCanceled')) - before.events,
      ]).toEqual([write, 2, 1, 1]);
      await made.completed(name);
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  });

  test('of a retry: there is one new job, and the input is signed once', async () => {
    const writes = await atEveryWrite(async (write) => {
      const name = `retry-${write}.txt`;
      const { id } = await made.failed(name);
      const before = { jobs: await totalOf(), completed: await totalOf('Completed') };
      const isKilled = await killedAt(write, 'after', () => retryJob(id, Date.now()));
      await retryJob(id, Date.now()).catch((error) => expect(codeOf(error)).toBe('job.already-processing'));
      await stage.run();
      expect([
        write,
        (await totalOf()) - before.jobs,
        (await totalOf('Completed')) - before.completed,
        (await stage.job(id)).state,
      ]).toEqual([write, 1, 1, 'Failed']);
      expect(await retryJob(id, Date.now()).catch(codeOf)).toBe('job.input-missing');
      return isKilled;
    });
    expect(writes).toBeGreaterThan(0);
  });
});
