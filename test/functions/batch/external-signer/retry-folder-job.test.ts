import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { handler as cancel } from '../../../../functions/batch/jobs/endpoints/cancel-job.ts';
import { handler as getOutput } from '../../../../functions/batch/jobs/endpoints/get-job-output.ts';
import { handler as retry } from '../../../../functions/batch/jobs/endpoints/retry-job.ts';
import { putProfile, setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask, refusalOf } from '../jobs/operator.ts';
import type { RemoteDocument } from './folder-platform.ts';
import { folderStage } from './folder-stage.ts';

const stage = await forFile(folderStage());
afterEach(() => {
  stage.platform.documents.clear();
  stage.platform.interfere = () => undefined;
});

const post = (id: string) => ({ method: 'POST', params: { id } });
const refusal = ({ id }: Pick<Job, 'id'>) => refusalOf(retry, post(id));

async function failed(document: RemoteDocument): Promise<Job> {
  const { id } = await stage.take(document);
  stage.platform.interfere = (call) => (call === 'start' ? { status: 500 } : undefined);
  await stage.run();
  stage.platform.interfere = () => undefined;
  return stage.job(id);
}

const change = (fields: object) =>
  putProfile('test', parseProfileFields({ name: 'folder', ...fields }), Date.now());

test('a failed job is retried by a new one, which reads the document again', async () => {
  const document = stage.put('failed.pdf');
  const job = await failed(document);
  expect(job.state).toBe('Failed');
  const { status, json } = await ask(retry, post(job.id));
  expect(status).toBe(202);
  const { newJobId } = json() as { newJobId: string };
  expect(await stage.job(newJobId)).toMatchObject({
    state: 'Queued',
    parentJobId: job.id,
    source: 'SignerFolder',
    folderDocument: { ...job.folderDocument, keyReachedAtMs: null, cpf: null },
  });
  await stage.run();
  expect(await stage.job(newJobId)).toMatchObject({ state: 'Completed' });
  expect(await stage.job(job.id)).toMatchObject({ state: 'Failed' });
  expect(document.signatures).toHaveLength(1);
  expect(await refusalOf(getOutput, { params: { id: newJobId } })).toEqual([409, 'job.output-unavailable']);
  expect(await refusal({ id: newJobId })).toEqual([409, 'job.not-failed']);
});

test('a retry of a document that moved on is canceled, and may be retried again', async () => {
  const document = stage.put('moved.pdf');
  const job = await failed(document);
  document.status = 'Expired';
  const second = await retryJob(job.id, Date.now());
  await stage.run();
  expect(await stage.job(second.id)).toMatchObject({ state: 'Canceled', errorCode: null });
  document.status = 'Pending';
  const third = await retryJob(second.id, Date.now());
  await stage.run();
  expect(await stage.job(third.id)).toMatchObject({ state: 'Completed', parentJobId: second.id });
});

test('a job that its operator canceled is retried too', async () => {
  const job = await stage.take(stage.put('canceled.pdf'));
  expect((await ask(cancel, post(job.id))).status).toBe(200);
  await stage.sweep();
  const { id } = await retryJob(job.id, Date.now());
  await stage.run();
  expect(await stage.job(id)).toMatchObject({ state: 'Completed' });
});

test('one active job has the document and its action: the others are refused', async () => {
  const job = await failed(stage.put('crowd.pdf'));
  const retries = await Promise.all([1, 2, 3].map(() => ask(retry, post(job.id))));
  expect(retries.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  expect(await refusal(job)).toEqual([409, 'job.already-processing']);
  await stage.run();
});

test('a profile that left the folder, or is disabled, takes no retry', async () => {
  const job = await failed(stage.put('left.pdf'));
  await change({ signerFolder: { folderId: randomUUID() } });
  expect(await refusal(job)).toEqual([409, 'signer-folder.profile-changed']);
  await change({ method: 'Local', signerFolder: null });
  expect(await refusal(job)).toEqual([409, 'signer-folder.profile-changed']);
  await stage.bind('folder', stage.folderId);
  await setEnabled('test', 'folder', false, Date.now());
  expect(await refusal(job)).toEqual([409, 'profile.disabled']);
  await setEnabled('test', 'folder', true, Date.now());
  expect((await ask(retry, post(job.id))).status).toBe(202);
  await stage.run();
});
