import { beforeEach, expect, test, vi } from 'vitest';
import { takeFile } from '../../../../../functions/batch/folders/domain/take-file.ts';
import { deletingJob } from '../../../../../functions/batch/jobs/domain/job/deleting.ts';
import { readInputs } from '../../../../../functions/batch/jobs/domain/job/inputs.ts';
import { jobs } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../../functions/batch/jobs/domain/retry-job.ts';
import { findProfile } from '../../../../../functions/batch/profiles/domain/find-profile.ts';
import { settings } from '../../../../../functions/batch/settings.ts';
import { files } from '../../../../../shared/files/files.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { killedAt } from '../../../../faults/crash.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { jobsInState } from '../../jobs/jobs-in-state.ts';
import { batchStage } from '../../stage.ts';
import { cleanUpIn, exists, expectJobs, keep, NOTHING, totalOf } from './world.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
const made = jobsInState(stage);
beforeEach(() => keep({ Job: 90 }));

const put = (key: string, content = 'content') =>
  files('batch').put(key, Buffer.from(content), { contentType: 'text/plain' });
const HOUR = 1 / 24;

async function clearJob(id: string): Promise<void> {
  const job = await jobs.get(id);
  if (job) await commit(deletingJob(job));
}

async function failedUpload(name: string) {
  const { id } = await stage.upload(name, 'not a PDF');
  await stage.run();
  const job = await stage.job(id);
  expect(job.state).toBe('Failed');
  return job;
}

test.each(['uploads', 'input/presigned'])(
  'a file of %s/ that became no job is deleted a day later, and not before',
  async (folder) => {
    const key = `${folder}/6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10/interrupted.bin`;
    await put(key);
    await cleanUpIn(23 * HOUR);
    expect(await exists(key)).toBe(true);
    const { message, ...counts } = await cleanUpIn(25 * HOUR);
    // None of the six counts is for these.
    expect(counts).toEqual(NOTHING);
    expect(message).toContain('1 files that belong to no job were deleted.');
    expect(await exists(key)).toBe(false);
  },
);

test('the input of a job stays while the job does, queued or failed', async () => {
  const failed = await failedUpload('no.pdf');
  const queued = await stage.upload('queued.bin', 'content');
  await cleanUpIn(80);
  expect([await exists(failed.inputKey), await exists(queued.inputKey)]).toEqual([true, true]);
  await stage.run();
});

test('the input of a failed job goes with the job', async () => {
  const { id, inputKey } = await failedUpload('goes.pdf');
  expect(await cleanUpIn(91)).toMatchObject({ errors: 0 });
  await expectJobs([], [id]);
  expect(await exists(inputKey)).toBe(false);
  expect((await readInputs(null, [inputKey ?? ''])).size).toBe(0);
});

test('the input of a job that was cleared stays as long as the job would have', async () => {
  const { id, inputKey } = await failedUpload('cleared.pdf');
  await clearJob(id);
  await cleanUpIn(89);
  expect(await exists(inputKey)).toBe(true);
  keep({});
  await cleanUpIn(1_000);
  expect(await exists(inputKey)).toBe(true);
  keep({ Job: 90 });
  await cleanUpIn(91);
  expect([await exists(inputKey), (await readInputs(null, [inputKey ?? ''])).size]).toEqual([false, 0]);
});

test('a cleared job whose input was gone leaves nothing that remembers it', async () => {
  const { id, inputKey } = await stage.upload('gone.pdf', 'content');
  await files('batch').remove(inputKey ?? '');
  await stage.run();
  expect((await stage.job(id)).errorCode).toBe('job.input-missing');
  await clearJob(id);
  expect((await readInputs(null, [inputKey ?? ''])).size).toBe(0);
});

test('the input of a retry that waits stays when the job that it retries is deleted', async () => {
  const { id, inputKey } = await failedUpload('again.pdf');
  const retry = await retryJob(id, Date.now());
  await cleanUpIn(91);
  await expectJobs([retry.id], [id]);
  expect(await exists(inputKey)).toBe(true);
  await stage.run();
  expect(await exists(inputKey)).toBe(true);
  await cleanUpIn(91);
  await expectJobs([], [retry.id]);
  expect(await exists(inputKey)).toBe(false);
});

test('a retry of a job that retention has just deleted is refused, and makes no job without an input', async () => {
  const { id } = await failedUpload('raced.pdf');
  const [retried] = await Promise.allSettled([retryJob(id, Date.now()), cleanUpIn(91)]);
  await stage.run();
  if (retried.status === 'fulfilled')
    // The retry was first: its input was there, and it failed for the file itself.
    expect((await stage.job(retried.value.id)).errorCode).toBe('job.signing-failed');
  else
    expect(retried.reason).toMatchObject({ code: expect.stringMatching(/job\.(not-found|input-missing)/) });
});

test('files of watched folders are never touched, and a failed one is not taken again', async () => {
  const [folder] = settings['Storage:Inputs'];
  const profile = await findProfile('default');
  if (!folder || !profile) throw new Error('The folder and the profile are there.');
  const key = 'input/inbox/broken.pdf';
  const { length, etag } = await put(key, 'not a PDF');
  await put('input/inbox/other.bin');
  const { logger } = stage.worker;
  const file = { key, length, etag, seenAtMs: Date.now() };
  const take = () => takeFile({ folder, profile, store: files('batch'), file, logger }, Date.now());
  expect(await take()).toBe('enqueued');
  await stage.run();
  expect(await totalOf({ status: 'Failed' })).toBeGreaterThan(0);
  await cleanUpIn(1_000);
  expect(await totalOf()).toBe(0);
  expect([await exists(key), await exists('input/inbox/other.bin')]).toEqual([true, true]);
  expect(await take()).toBe('known');
});

test('orphans of processing/ are deleted a day later: of no job, and of a job that is settled', async () => {
  const done = await made.completed('settled.txt');
  const unknown = 'processing/0d2f5c8a-7b10-4a53-9a4e-6f1b3f642c1f/lost.txt';
  const late = `processing/${done.id}/settled.txt`;
  await put(unknown);
  await put(late);
  await cleanUpIn(23 * HOUR);
  expect([await exists(unknown), await exists(late)]).toEqual([true, true]);
  await cleanUpIn(25 * HOUR);
  expect([await exists(unknown), await exists(late)]).toEqual([false, false]);
});

// The writes of an upload's job: Verifying, output, Completed. The fourth is the deletion of the input.
test('the staged copy of a job that is not settled yet stays for the sweeper', async () => {
  const { job, slot } = await made.claimed('unsettled.txt');
  await killedAt(4, 'before', () => stage.process({ job, slot }));
  const staged = `processing/${job.id}/unsettled.txt`;
  await files('batch').put(staged, Buffer.from('copy'), { contentType: 'text/plain' });
  expect([(await stage.job(job.id)).state, await exists(staged)]).toEqual(['Completed', true]);
  await cleanUpIn(2);
  expect(await exists(staged)).toBe(true);
});
