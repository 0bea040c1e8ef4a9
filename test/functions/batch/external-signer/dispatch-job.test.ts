import { afterEach, describe, expect, test, vi } from 'vitest';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { readPipelineGauges } from '../../../../functions/batch/pipeline/domain/read-gauges.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Misbehavior } from './fake-platform.ts';
import { ANA, BRUNO, LATER_MS, signerStage } from './stage.ts';

const stage = await forFile(signerStage());
afterEach(() => {
  stage.platform.misbehave = () => undefined;
});

const FOLDER_ID = '44444444-4444-4444-8444-444444444444';
const CREATE = 'POST /api/documents';

/** Misbehaves at the first of these calls, and not again. */
const once = (call: string, misbehavior: Misbehavior) => {
  let isOver = false;
  stage.platform.misbehave = (made) => {
    if (made !== call || isOver) return undefined;
    isOver = true;
    return misbehavior;
  };
};

describe('a job of an external signer', () => {
  test('is created there with its tag, signers and expiry, and waits', async () => {
    await stage.profile('in-folder', [ANA, BRUNO], {
      externalSigner: { signers: [ANA, BRUNO], folderId: FOLDER_ID, expiresAfterDays: 10 },
    });
    const job = await stage.dispatched('contract.pdf', { profile: 'in-folder' });
    const document = stage.documentOf(job);
    expect(job).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { documentId: document.id, failedPolls: 0, cpfs: [ANA.cpf, BRUNO.cpf] },
      staged: { length: stage.pdf.length },
    });
    expect(document.original).toEqual(stage.pdf);
    expect(document.request).toMatchObject({
      files: [{ name: 'contract.pdf', contentType: 'application/pdf' }],
      flowActions: [
        { type: 'Signer', step: 1, user: { name: ANA.name, identifier: ANA.cpf, email: ANA.email } },
        { type: 'Signer', step: 2, user: { identifier: BRUNO.cpf } },
      ],
      folderId: FOLDER_ID,
      tags: [{ label: 'batch-job', value: job.id }],
      disablePendingActionNotifications: false,
      forceCadesSignature: false,
    });
    const expiresAt = Date.parse(String(document.request.expirationDate));
    expect(expiresAt - (job.dispatch?.begunAtMs ?? 0)).toBe(10 * 86_400_000);
    expect(await stage.keysOf(`processing/${job.id}`)).toHaveLength(1);
    expect((await readFlight()).slots).toEqual([]);
    expect(await readPipelineGauges(Date.now())).toMatchObject({ inFlight: 0, awaitingSigner: 1 });
    await expect(stage.upload('contract.pdf', 'x')).rejects.toMatchObject({ code: 'job.already-processing' });
  });

  test('is left alone by the recovery of lost workers', async () => {
    const job = await stage.dispatched('recovery.pdf');
    await claimJob(Date.now() + 5 * LATER_MS);
    expect(await stage.job(job.id)).toEqual(job);
  });

  test.each([
    ['Pades', 'plain text', 'PDF'],
    ['Xades', 'plain text', 'XML'],
  ])('whose file is not of the format %s is not handed over', async (format, content, what) => {
    const job = await stage.dispatched(`no-${format}.bin`, { content: Buffer.from(content), format });
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.signing-failed' });
    expect(job.errorMessage).toContain(what);
    expect(stage.platform.of(job.id)).toEqual([]);
  });
});

describe('the answer to the creation', () => {
  test('is lost: the document is found by its tag, and no second one is created', async () => {
    once(CREATE, 'answer-lost');
    const job = await stage.dispatched('lost.pdf');
    expect(job).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { documentId: stage.documentOf(job).id },
    });
  });

  test.each([
    ['does not come', 'hang-up'],
    ['is 500', { status: 500 }],
    ['is 429 with a pause', { status: 429, headers: { 'retry-after': '1' } }],
    ['is HTML', { status: 200, body: '<html>' }],
  ] as const)('%s: the second attempt creates it', async (what, misbehavior) => {
    once(CREATE, misbehavior);
    const job = await stage.dispatched(`attempt ${what}.pdf`);
    expect(job).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { documentId: stage.documentOf(job).id },
    });
  });

  test('is a refusal: the job fails at once, and says what to do', async () => {
    const body = '{"code":"FolderNotFound","message":"There is no such folder."}';
    stage.platform.misbehave = (call) => (call === CREATE ? { status: 422, body } : undefined);
    stage.platform.calls.length = 0;
    const job = await stage.dispatched('refused.pdf');
    expect(job).toMatchObject({
      state: 'Failed',
      errorCode: 'signer.unreachable',
      errorMessage:
        'The external service refused the document: There is no such folder. Correct the profile or the file, then retry.',
    });
    expect(stage.platform.calls.filter((call) => call === CREATE)).toHaveLength(1);
    expect(await stage.keysOf(`error/${job.id}`)).toHaveLength(1);
  });
});

test('an upload that the service is too busy for is made again', async () => {
  once('POST /api/uploads', { status: 429, headers: { 'retry-after': '1' } });
  const job = await stage.dispatched('busy-upload.pdf');
  expect(stage.documentOf(job).original).toEqual(stage.pdf);
});

describe('an external service that is away', () => {
  test('fails the job after three attempts, with an event', async () => {
    stage.platform.misbehave = () => ({ status: 503 });
    const job = await stage.dispatched('away.pdf');
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
    const { items } = await listEvents({ type: 'SignerDispatchFailed', page: 1, pageSize: 10 });
    expect(items[0]).toMatchObject({ jobId: job.id, code: 'signer.unreachable' });
  });

  // job 1: created, every answer lost. job 2: finds it by the tag of job 1.
  test('and has created the document nevertheless: the retry takes it over', async () => {
    stage.platform.misbehave = (call) =>
      call === CREATE ? 'answer-lost' : call === 'GET /api/documents' ? { status: 503 } : undefined;
    const job = await stage.dispatched('created.pdf');
    expect(job.state).toBe('Failed');
    const document = stage.documentOf(job);
    stage.platform.misbehave = () => undefined;
    const retry = await retryJob(job.id, Date.now());
    await stage.run();
    expect(await stage.job(retry.id)).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { documentId: document.id },
    });
    expect(stage.platform.of(retry.id)).toEqual([]);
    await stage.conclude(job);
    await stage.poll();
    expect((await stage.job(retry.id)).state).toBe('Completed');
  });
});

describe('a retry', () => {
  test('of a job that the service was away for takes its document over', async () => {
    const job = await stage.dispatched('outage.pdf');
    const document = stage.documentOf(job);
    vi.stubEnv('Signer__MaxConsecutiveApiFailures', '0');
    stage.platform.misbehave = () => 'hang-up';
    await stage.poll();
    stage.platform.misbehave = () => undefined;
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
    const { id } = await retryJob(job.id, Date.now());
    await stage.run();
    expect(await stage.job(id)).toMatchObject({
      state: 'AwaitingSigner',
      dispatch: { documentId: document.id },
    });
    vi.stubEnv('Signer__MaxConsecutiveApiFailures', undefined);
  });

  test('with other signers cancels the document of the first', async () => {
    await stage.profile('changing', [ANA]);
    stage.platform.misbehave = (call) =>
      call === CREATE ? 'answer-lost' : call === 'GET /api/documents' ? { status: 503 } : undefined;
    const job = await stage.dispatched('others.pdf', { profile: 'changing' });
    stage.platform.misbehave = () => undefined;
    await stage.profile('changing', [BRUNO]);
    const { id } = await retryJob(job.id, Date.now());
    await stage.run();
    expect(stage.documentOf(job).status).toBe('Canceled');
    expect(await stage.job(id)).toMatchObject({ dispatch: { documentId: stage.documentOf({ id }).id } });
  });

  test('of a refused document creates a new one', async () => {
    const job = await stage.dispatched('again.pdf');
    stage.documentOf(job).status = 'Refused';
    await stage.poll();
    const { id } = await retryJob(job.id, Date.now());
    await stage.run();
    expect(stage.documentOf({ id })).toMatchObject({ status: 'Pending' });
  });
});
