import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeFile } from '../../../../functions/batch/folders/domain/take-file.ts';
import { type Job, outputKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { listJobs as listBatch } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { handler as getBatchJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { findProfile } from '../../../../functions/batch/profiles/domain/find-profile.ts';
import { handler as getJob } from '../../../../functions/compact/endpoints/get-job.ts';
import { handler as getOutput } from '../../../../functions/compact/endpoints/get-job-output.ts';
import { handler as retry } from '../../../../functions/compact/endpoints/retry-job.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { jobsInState } from '../../batch/jobs/jobs-in-state.ts';
import { ask, refusalOf } from '../../batch/jobs/operator.ts';
import { batchStage } from '../../batch/stage.ts';
import { list, named, outcomeOf, read, uploaded } from '../client.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
await stage.profile({ name: 'remessas', checkCnab240: true, preserveFileExtension: true });
const made = jobsInState(stage);
afterEach(async () => {
  for (const name of ['Compact__Profile', 'Storage__Work']) vi.stubEnv(name, undefined);
  await stage.run();
});

const of = (jobId: string) => ({ params: { jobId } });
const post = (jobId: string) => ({ method: 'POST', params: { jobId } });

/** A job that failed past staging: its copy is in error/. */
async function failed(name: string): Promise<Job> {
  vi.stubEnv('Compact__Profile', 'remessas');
  const id = await uploaded(name, { externalReference: `ref of ${name}` });
  await stage.run();
  return stage.job(id);
}

async function retried(id: string): Promise<Job> {
  const { status, json, text } = await ask(retry, post(id));
  if (status !== 202) throw new Error(text);
  expect(json()).toEqual({ jobId: expect.any(String), retryOf: id });
  return stage.job((json() as { jobId: string }).jobId);
}

describe('the statuses of this surface', () => {
  test.each([
    ['Queued', 'Pending'],
    ['AwaitingApproval', 'Pending'],
    ['AwaitingSigner', 'Pending'],
    ['Processing', 'Processing'],
    ['Verifying', 'Processing'],
    ['Completed', 'Completed'],
    ['Failed', 'Failed'],
    ['Canceled', 'Rejected'],
  ] as const)('a job that is %s at the full surface is %s here', async (state, status) => {
    const { id } = await made.inState(state, `${state}.txt`);
    const job = await read(id);
    expect(job).toMatchObject({ id, status, source: 'RestApi' });
    expect(job.events.at(-1)?.status).toBe(status);
    expect((await list({ status, filenameContains: `${state}.txt` })).items.map((each) => each.id)).toEqual([
      id,
    ]);
  });

  test('jobs in flight are found by every filter, and are in no other status', async () => {
    const { id } = await made.inState('Processing', 'flying.txt');
    const query = { status: 'Processing', source: 'RestApi', signatureFormat: 'Cades' };
    const idsOf = async (more: Record<string, string>) => (await list(more)).items.map((job) => job.id);
    expect(await idsOf({ ...query, encryptionEnabled: 'false', filenameContains: 'FLY' })).toEqual([id]);
    expect(await idsOf({ ...query, filenameContains: 'FLY', createdToUtc: '2020-01-01' })).toEqual([]);
    expect(await idsOf({ filenameContains: 'flying' })).toEqual([id]);
    expect(await idsOf({ status: 'Pending', filenameContains: 'flying' })).toEqual([]);
  });
});

describe('a job', () => {
  test('has its events in the order of their times', async () => {
    const id = await uploaded('events.txt');
    await stage.run();
    const job = await read(id);
    expect(job.events).toEqual([
      { createdAtUtc: expect.any(String), status: 'Pending', message: 'Uploaded.' },
      { createdAtUtc: expect.any(String), status: 'Processing', message: 'Picked up by main.' },
      { createdAtUtc: expect.any(String), status: 'Processing', message: 'Signed.' },
      { createdAtUtc: expect.any(String), status: 'Completed', message: 'Verified and released.' },
    ]);
    const times = job.events.map(({ createdAtUtc }) => createdAtUtc);
    expect(times).toEqual(times.toSorted());
    expect(job).toMatchObject({ completedAtUtc: times.at(-1), errorMessage: null });
  });

  test('that nobody knows is job.not-found, whatever its id looks like', async () => {
    for (const id of [randomUUID(), 'no-id', '..', 'input%2F..'])
      for (const handler of [getJob, getOutput, retry])
        expect(await refusalOf(handler, of(id))).toEqual([404, 'job.not-found']);
  });

  test('of one surface is a job of the other', async () => {
    const here = await uploaded('crossed.txt', { externalReference: 'both' });
    const { json } = await ask(getBatchJob, { params: { id: here } });
    expect(json()).toMatchObject({
      id: here,
      source: 'Upload',
      status: 'Queued',
      originalPath: 'input/uploads/crossed.txt',
    });
    expect((await listBatch({ status: 'Queued' }, { page: 1, pageSize: 1 })).items).toMatchObject([
      { id: here },
    ]);
    const there = await stage.upload('crossed-too.txt', 'x');
    expect(await read(there.id)).toMatchObject({ fileName: 'crossed-too.txt', externalReference: null });
    expect((await list({ filenameContains: 'CROSSED-TOO' })).total).toBe(1);
  });
});

describe('the output of a job', () => {
  test('is an attachment with its generated name, and cannot run as a page', async () => {
    const id = await uploaded('relatório.txt');
    await stage.run();
    const { status, headers } = await ask(getOutput, of(id));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-disposition': `attachment; filename="relatorio.txt.p7m"; filename*=UTF-8''relat%C3%B3rio.txt.p7m`,
      'content-type': 'application/pkcs7-mime',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  test('is refused with 409 before the job is completed, and with 410 when the file is gone', async () => {
    const id = await uploaded('early.txt');
    expect(await refusalOf(getOutput, of(id))).toEqual([409, 'job.output-unavailable']);
    await stage.run();
    await files('batch').remove(outputKey('early.txt.p7m'));
    expect(await refusalOf(getOutput, of(id))).toEqual([410, 'job.output-gone']);
    expect(await refusalOf(getOutput, of((await failed('not-signed.rem')).id))).toEqual([
      409,
      'job.output-unavailable',
    ]);
  });
});

describe('a retry', () => {
  test('is a new job for the input of a failed one, with its options', async () => {
    const job = await failed('again.rem');
    const next = await retried(job.id);
    expect(next).toMatchObject({
      parentJobId: job.id,
      state: 'Queued',
      inputKey: job.inputKey,
      externalReference: 'ref of again.rem',
      profileName: 'remessas',
    });
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed' });
  });

  test('has the copy in error/ as its input where the original is gone', async () => {
    const job = await failed('copied.rem');
    await files('batch').remove(job.inputKey ?? '');
    const next = await retried(job.id);
    expect(next).toMatchObject({ inputKey: `uploads/${next.id}/copied.rem`, originalPath: job.originalPath });
    const read = (key: string) => files('batch').read(key, 1_000);
    expect(await read(next.inputKey ?? '')).toEqual(await read(`error/${job.id}/copied.rem`));
  });

  /** A file of a folder that failed, as its scan found it. */
  async function failedInFolder(name: string): Promise<{ readonly id: string; readonly key: string }> {
    const key = `input/remessas/${name}`;
    const folder = {
      name: 'remessas',
      path: 'input/remessas',
      share: null,
      prefix: 'input/remessas',
      pollSeconds: 60,
    };
    const profile = await findProfile('remessas');
    if (!profile) throw new Error('The stage has this profile.');
    const { length, etag } = await put(key, 'What failed.');
    const file = { key, length, etag, seenAtMs: Date.now() };
    const found = { folder, profile, store: files('batch'), file, logger: stage.worker.logger };
    expect(await takeFile(found, Date.now())).toBe('enqueued');
    await stage.run();
    const [job] = (await list({ status: 'Failed', filenameContains: name })).items;
    return { id: job?.id ?? '', key };
  }
  const put = (key: string, content: string) =>
    files('batch').put(key, Buffer.from(content), { contentType: 'application/octet-stream' });
  const contentOf = async (key: string | null) => (await files('batch').read(key ?? '', 1_000))?.toString();

  test('has the original of a folder as its input while it is the file that failed', async () => {
    const { id, key } = await failedInFolder('same.rem');
    expect(await retried(id)).toMatchObject({ inputKey: key, folder: 'remessas' });
  });

  test.each([
    ['of the same length', 'Quite other!'],
    ['of another length', 'Other.'],
  ])('signs the file that failed, and not one %s that was put in its place', async (title, other) => {
    const { id, key } = await failedInFolder(`${title.replaceAll(' ', '-')}.rem`);
    await put(key, other);
    const next = await retried(id);
    expect(next.inputKey).toMatch(/^uploads\//);
    expect(await contentOf(next.inputKey)).toBe('What failed.');
    await stage.run();
    expect(await contentOf(key)).toBe(other);
  });

  test('has the copy in error/ as its input where a later job was made of the original', async () => {
    const { id, key } = await failedInFolder('later.rem');
    expect(await retried(id)).toMatchObject({ inputKey: key });
    await stage.run();
    const next = await retried(id);
    expect(next.inputKey).toBe(`uploads/${next.id}/later.rem`);
    expect(await contentOf(next.inputKey)).toBe('What failed.');
  });

  test('is answered 503 while the work share is unusable', async () => {
    const { id } = await failed('unreachable.rem');
    vi.stubEnv('Storage__Work', 'share:nobody/work');
    expect(await refusalOf(retry, post(id))).toEqual([503, expect.any(String)]);
    vi.stubEnv('Storage__Work', undefined);
    expect((await retried(id)).state).toBe('Queued');
  });

  test('signs a file of a folder that was refused for its name', async () => {
    await made.completed('taken.txt');
    const folder = {
      name: 'inbox',
      path: 'input/inbox',
      share: null,
      prefix: 'input/inbox',
      pollSeconds: 60,
    };
    const key = 'input/inbox/taken.txt';
    const { length, etag } = await files('batch').put(key, Buffer.from('Other.'), {
      contentType: 'text/plain',
    });
    const profile = await findProfile();
    if (!profile) throw new Error('There is a default profile.');
    const file = { key, length, etag, seenAtMs: Date.now() };
    const taken = { folder, profile, store: files('batch'), file, logger: stage.worker.logger };
    expect(await takeFile(taken, Date.now())).toBe('refused');
    const [refused] = (await list({ status: 'Failed', source: 'WatchedFolder' })).items;
    const next = await retried(refused?.id ?? '');
    await stage.run();
    expect(await stage.job(next.id)).toMatchObject({
      state: 'Completed',
      source: 'WatchedFolder',
      folder: null,
    });
    // The input of the retry is gone, and the copy in error/ stays for retention.
    expect(await files('batch').head(next.inputKey ?? '')).toBeUndefined();
    expect(await files('batch').head(`error/${refused?.id}/taken.txt`)).toBeDefined();
  });

  test('is refused when the copy is no longer in error/, though the input is', async () => {
    const job = await failed('cleaned.rem');
    await files('batch').remove(`error/${job.id}/cleaned.rem`);
    expect(await refusalOf(retry, post(job.id))).toEqual([409, 'job.input-missing']);
  });

  test.each(['Queued', 'Processing', 'Completed', 'Canceled', 'AwaitingApproval'] as const)(
    'of a job that is %s is refused',
    async (state) => {
      const { id } = await made.inState(state, `no-retry-${state}.txt`);
      expect(await refusalOf(retry, post(id))).toEqual([409, 'job.not-failed']);
    },
  );

  test('of a job that an approver rejected is refused', async () => {
    const { id } = await made.rejected('rejected.txt');
    expect(await refusalOf(retry, post(id))).toEqual([409, 'job.rejected-not-retriable']);
  });

  test('is refused while an active job has the name, and leaves no copy', async () => {
    const job = await failed('busy.rem');
    await files('batch').remove(job.inputKey ?? '');
    expect(await outcomeOf(named('BUSY.rem'))).toBe('202');
    const before = (await files('batch').list('uploads/')).files.length;
    expect(await refusalOf(retry, post(job.id))).toEqual([409, 'job.already-processing']);
    expect((await files('batch').list('uploads/')).files.length).toBe(before);
  });

  test('is refused while its profile is disabled', async () => {
    const job = await failed('disabled.rem');
    await setEnabled('test', 'remessas', false, Date.now());
    expect(await refusalOf(retry, post(job.id))).toEqual([409, 'profile.disabled']);
    await setEnabled('test', 'remessas', true, Date.now());
  });

  test('of several at once one makes a job', async () => {
    const job = await failed('raced.rem');
    await files('batch').remove(job.inputKey ?? '');
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(retry, post(job.id))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409]);
  });
});
