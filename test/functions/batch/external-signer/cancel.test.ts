import { afterEach, expect, test } from 'vitest';
import { cancelDocumentOf } from '../../../../functions/batch/external-signer/domain/dispatch/cancel-document.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { signerStage } from './stage.ts';

const stage = await forFile(signerStage());
afterEach(() => {
  stage.platform.misbehave = () => undefined;
});

const cancel = (job: Job) => cancelJob(OPERATOR, { id: job.id, reason: 'Wrong file.' }, Date.now());
const taskOf = (job: Job) => ({
  jobId: job.id,
  documentId: job.dispatch?.documentId ?? '',
  reason: 'Canceled.',
});
const lastOf = async ({ id }: Job) => (await stage.job(id)).history.at(-1)?.message;

test('a job that is canceled here is canceled there, and its name is free', async () => {
  const job = await stage.dispatched('cancel.pdf');
  stage.platform.calls.length = 0;
  expect(await cancel(job)).toMatchObject({ state: 'Canceled', errorCode: null });
  // The operator does not wait for the external service.
  expect(stage.platform.calls).toEqual([]);
  await stage.runTasks();
  expect(stage.documentOf(job)).toMatchObject({
    status: 'Canceled',
    statusUpdateReason: 'Canceled by operator: Wrong file.',
  });
  expect(await lastOf(job)).toBe('The document was canceled at the external service.');
  expect(await stage.keysOf(`processing/${job.id}`)).toEqual([]);
  expect(await stage.keysOf(`error/${job.id}`)).toEqual([`error/${job.id}/cancel.pdf`]);
  expect(await stage.keysOf(`uploads/${job.id}`)).toHaveLength(1);
  expect((await stage.dispatched('cancel.pdf')).state).toBe('AwaitingSigner');
});

test('a document that was concluded meanwhile stays so: the history has the refusal, and the job stays canceled', async () => {
  const job = await stage.dispatched('concluded.pdf');
  stage.documentOf(job).status = 'Concluded';
  await cancel(job);
  await stage.runTasks();
  expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', dispatch: { isCanceledThere: false } });
  expect(await lastOf(job)).toBe('The document was not canceled at the external service: It is Concluded.');
});

test('an external service that is away is asked again, and the last try goes into the history', async () => {
  const job = await stage.dispatched('away.pdf');
  await cancel(job);
  stage.platform.misbehave = () => ({ status: 503 });
  await expect(cancelDocumentOf(taskOf(job), false, Date.now)).rejects.toThrow(PlatformUnreachable);
  expect(await lastOf(job)).toBe('Canceled by operator: Wrong file.');
  await cancelDocumentOf(taskOf(job), true, Date.now);
  expect(await lastOf(job)).toBe(
    'The document was not canceled at the external service: The signature service answered 503.',
  );
  await cancelDocumentOf(taskOf(job), true, Date.now);
  expect((await stage.job(job.id)).history.filter(({ message }) => message.includes('503'))).toHaveLength(1);
});

test('a job is either concluded or canceled', async () => {
  const job = await stage.dispatched('race.pdf');
  await stage.conclude(job);
  await stage.poll();
  await expect(cancel(job)).rejects.toMatchObject({ code: 'job.not-queued' });
  expect((await stage.job(job.id)).state).toBe('Completed');
});
