import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { deleteJob } from '../../../../functions/batch/jobs/domain/delete-job.ts';
import { FINISHED } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { findUnsettled } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { files } from '../../../../shared/files/files.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { jobsInState, OPERATOR } from './jobs-in-state.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);

const remove = (id: string) => deleteJob(OPERATOR, id, Date.now());
const deletions = async (jobId: string) =>
  (await listEvents({ type: 'JobDeleted', text: jobId, page: 1, pageSize: 9 })).items;

describe('an operator', () => {
  test.each(FINISHED)('deletes a job that is %s, with an event that says who', async (state) => {
    const { id } = await made.inState(state, `gone-${state}.txt`);
    const before = (await listJobs({}, { page: 1, pageSize: 1 })).totalCount;
    expect(await remove(id.toUpperCase())).toBe('deleted');
    expect(await made.read(id)).toBeUndefined();
    expect((await listJobs({}, { page: 1, pageSize: 1 })).totalCount).toBe(before - 1);
    expect(await deletions(id)).toMatchObject([{ by: 'operator', profileName: 'default', jobId: id }]);
    await expect(remove(id)).rejects.toMatchObject({ code: 'job.not-found' });
  });

  test('frees the name of a completed job, and its file stays', async () => {
    const { id, outputName } = await made.completed('name.txt');
    await expect(made.queued('name.txt')).rejects.toMatchObject({ code: 'file.already-processed' });
    await remove(id);
    expect(await files('batch').head(`output/${outputName}`)).toBeDefined();
    expect((await made.completed('name.txt')).state).toBe('Completed');
  });

  test.each(jobStates.states.filter((state) => !jobStates.isTerminal(state)))(
    'cannot delete a job that is %s',
    async (state) => {
      const { id } = await made.inState(state, `stays-${state}.txt`);
      expect(await remove(id)).toBe('unfinished');
      expect([(await stage.job(id)).state, await deletions(id)]).toEqual([state, []]);
      // A claim would take a queued one.
      if (state === 'Queued') await stage.run();
    },
  );

  test('is told that there is no such job', async () => {
    for (const id of [randomUUID(), 'archive'])
      await expect(remove(id)).rejects.toMatchObject({ code: 'job.not-found' });
  });

  // The writes of a job: staged copy, Verifying, output, Completed. The fifth is the deletion of the input.
  test('first puts the files in their places, where a worker was killed before it could', async () => {
    const { job, slot } = await made.claimed('unsettled.txt');
    await killedAt(5, 'before', () => stage.process({ job, slot }));
    expect(await findUnsettled([job.id])).toEqual(new Set([job.id]));
    expect(await remove(job.id)).toBe('deleted');
    expect(await files('batch').head(job.inputKey ?? '')).toBeUndefined();
    expect((await files('batch').list(`processing/${job.id}/`)).files).toEqual([]);
    expect(await findUnsettled([job.id])).toEqual(new Set());
  });

  test('who meets others: there is one deletion, and the others find no job', async () => {
    const { id } = await made.canceled('twice.txt');
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => remove(id).catch(({ code }: { code: string }) => code)),
    );
    expect(outcomes.toSorted()).toEqual(['deleted', 'job.not-found', 'job.not-found']);
    expect(await deletions(id)).toHaveLength(1);
  });
});
