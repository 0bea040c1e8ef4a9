import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectUploads } from '../../../../functions/batch/jobs/domain/collect-uploads.ts';
import { deletingJob } from '../../../../functions/batch/jobs/domain/job/delete-job.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { files } from '../../../../shared/files/files.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { batchStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await batchStage();
});
afterAll(() => stage.stop());

const HOUR_MS = 3_600_000;
const collectAfter = (hours: number) => collectUploads(Date.now() + hours * HOUR_MS, () => true);
const exists = async (key: string | null) => (await files('batch').head(key ?? '')) !== undefined;

test('an upload that became no job is removed a day later, and not before', async () => {
  const key = 'uploads/6f1b3f64-2c1f-4a53-9a4e-0d2f5c8a7b10/interrupted.bin';
  await files('batch').put(key, Buffer.from('content'), { contentType: 'text/plain' });
  expect(await collectAfter(23)).toBe(0);
  expect(await exists(key)).toBe(true);
  expect(await collectAfter(25)).toBe(1);
  expect(await exists(key)).toBe(false);
});

test('the input of a job stays, queued or failed', async () => {
  const failed = await stage.upload('no.pdf', 'not a PDF');
  await stage.run();
  const queued = await stage.upload('queued.bin', 'content');
  expect(await collectAfter(25)).toBe(0);
  expect([await exists(failed.inputKey), await exists(queued.inputKey)]).toEqual([true, true]);
  await stage.run();
});

test('the input of a failed job stays when the job is cleared, for retention', async () => {
  const { id, inputKey } = await stage.upload('cleared.pdf', 'not a PDF');
  await stage.run();
  const failed = await jobs.get(id);
  if (failed) await commit(deletingJob(failed));
  expect(await collectAfter(25)).toBe(0);
  expect(await exists(inputKey)).toBe(true);
});

test('the input of a retry stays when the job that it retries is cleared, and the retry fails', async () => {
  const { id, inputKey } = await stage.upload('again.pdf', 'not a PDF');
  await stage.run();
  await retryJob(id, Date.now());
  const failed = await jobs.get(id);
  if (failed) await commit(deletingJob(failed));
  await stage.run();
  expect(await collectAfter(25)).toBe(0);
  expect(await exists(inputKey)).toBe(true);
});
