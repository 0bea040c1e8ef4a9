import { afterEach, describe, expect, test, vi } from 'vitest';
import { failJob, JobFailure } from '../../../../functions/batch/jobs/domain/engine/end-job.ts';
import { createJob } from '../../../../functions/batch/jobs/domain/job/create-job.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobStates } from '../../../../functions/batch/jobs/domain/job/states.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { handler as retry } from '../../../../functions/batch/jobs/endpoints/retry-job.ts';
import { removeProfile, setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { letInFirst } from '../../let-in-first.ts';
import { batchStage } from '../stage.ts';
import { jobsInState } from './jobs-in-state.ts';
import { ask, refusalOf } from './operator.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
// A job that a test leaves queued would be claimed in the next one.
afterEach(async () => void (await stage.run()));

const post = (id: string) => ({ method: 'POST', params: { id } });
const codeOf = (error: { code?: string }) => error.code ?? 'unknown';
const removeInput = async ({ inputKey }: Job) => files('batch').remove(inputKey ?? '');

test('a retry is a new job for the same input; the failed one stays failed', async () => {
  const failed = await made.failed('retried.txt');
  const { status, json } = await ask(retry, post(failed.id));
  const answer = json() as { newJobId: string };
  expect([status, answer]).toEqual([
    202,
    { newJobId: expect.any(String), parentJobId: failed.id, status: 'Queued' },
  ]);
  const { id, fileName, originalPath, inputKey, format, source, profileName, encryption, externalReference } =
    failed;
  expect(await stage.job(answer.newJobId)).toMatchObject({
    parentJobId: id,
    state: 'Queued',
    ...{ fileName, originalPath, inputKey, format, source, profileName, encryption, externalReference },
  });
  await stage.run();
  expect(await stage.job(answer.newJobId)).toMatchObject({ state: 'Completed', errorCode: null });
  const named = { retriedAs: answer.newJobId, version: expect.any(String) };
  expect(await stage.job(id)).toEqual({ ...failed, ...named });
  expect(await files('batch').head(inputKey ?? '')).toBeUndefined();
});

// Each case gives the job one more reason to be refused, which comes before those of the cases above it.
test('of several reasons, a retry is refused for the first in the order of the specification', async () => {
  await stage.profile({ name: 'shifting' });
  const job = await made.failed('ordered.txt', { profile: 'shifting' });
  const refusal = () => refusalOf(retry, post(job.id));

  await made.completed('ordered.txt');
  expect(await refusal()).toEqual([409, 'file.already-processed']);
  const other = await made.failed('ordered-too.txt', { profile: 'shifting' });
  await made.queued('ordered-too.txt');
  expect(await refusalOf(retry, post(other.id))).toEqual([409, 'job.already-processing']);
  await stage.run();

  await removeInput(job);
  expect(await refusal()).toEqual([409, 'job.input-missing']);

  await stage.profile({ name: 'shifting', method: 'SignerFolder', signerFolder: { folderId: FOLDER } });
  expect(await refusal()).toEqual([409, 'profile.takes-no-files']);
  await setEnabled('test', 'shifting', false, Date.now());
  expect(await refusal()).toEqual([409, 'profile.disabled']);
});

const FOLDER = '44444444-4444-4444-8444-444444444444';

test('a profile that was removed takes no new work', async () => {
  await stage.profile({ name: 'leaving' });
  const { id } = await made.failed('left.txt', { profile: 'leaving' });
  await removeProfile('test', 'leaving', Date.now());
  expect(await refusalOf(retry, post(id))).toEqual([409, 'profile.disabled']);
});

test.each(jobStates.states.filter((state) => state !== 'Failed'))(
  'a job that is %s is not retried',
  async (state) => {
    const { id } = await made.inState(state, `not-failed-${state}.txt`);
    expect(await refusalOf(retry, post(id))).toEqual([409, 'job.not-failed']);
  },
);

test('a job that an approver rejected is never retried', async () => {
  const { id } = await made.rejected('rejected.txt');
  expect(await refusalOf(retry, post(id))).toEqual([409, 'job.rejected-not-retriable']);
});

test('a path that is longer than the limit of today is refused with 409, before its input is looked for', async () => {
  const originalPath = `input/uploads/${'x'.repeat(850)}.txt`;
  const old = await createJob(
    {
      id: crypto.randomUUID(),
      fileName: 'old.txt',
      originalPath,
      folder: null,
      inputShare: null,
      inputKey: 'uploads/nowhere/old.txt',
      format: 'Cades',
      source: 'Upload',
      parentJobId: null,
      profileName: 'default',
      externalReference: null,
      encryption: null,
      encryptionEnabled: false,
    },
    { message: 'Uploaded.', input: { length: 3, etag: '"old"' } },
    Date.now(),
  );
  const claim = await stage.claim();
  expect(claim?.job.id).toBe(old.id);
  if (claim) await failJob(claim, new JobFailure('job.input-missing'), {}, Date.now());
  expect(await refusalOf(retry, post(old.id))).toEqual([409, 'job.path-too-long']);
});

test('an id that no job has is not found', async () => {
  expect(await refusalOf(retry, post('0b7f7a52-6c5e-4d7c-9f58-2f5d1c0e9a11'))).toEqual([
    404,
    'job.not-found',
  ]);
});

describe('at once', () => {
  const retries = (id: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => retryJob(id, Date.now()).then(() => 'queued', codeOf)));

  test.each(['true', 'false'])('several retries make one job (names rejected: %s)', async (rejected) => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', rejected);
    const { id } = await made.failed(`at-once-${rejected}.txt`);
    expect((await retries(id, 6)).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'job.already-processing'),
      'queued',
    ]);
    expect(await stage.run()).toMatchObject({ taken: 1 });
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  });

  //   retry   |--the input is there------------------------ path: refused --|
  //   upload                         |--path and name--|
  test('a retry and an upload of the name: the faster one has it', async () => {
    const { id } = await made.failed('contested.txt');
    letInFirst(() => made.queued('contested.txt'));
    expect(await retries(id, 1)).toEqual(['job.already-processing']);
    expect(await stage.run()).toMatchObject({ taken: 1 });
    expect(await retries(id, 1)).toEqual(['file.already-processed']);
  });
});
