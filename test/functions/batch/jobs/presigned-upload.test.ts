import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { cleanUp } from '../../../../functions/batch/installation/retention/domain/run.ts';
import { receiveUntold } from '../../../../functions/batch/jobs/domain/presigned-upload.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { handler as presignFile } from '../../../../functions/batch/jobs/endpoints/presign-file.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { killedAt } from '../../../faults/crash.ts';
import { countCalls } from '../../../measure/calls.ts';
import { call } from '../../../requests/http-event.ts';
import { termsOf } from '../../../requests/links.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { arrivalOf, arrivalStage, keysOf, onceAt, watchingS3 } from '../folders/arrival-stage.ts';

const stage = await forFile(arrivalStage());
await stage.profile({ name: 'resting', enabled: false });
await stage.profile({ name: 'foldered', method: 'SignerFolder', signerFolder: { folderId: randomUUID() } });
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

const DAY_MS = 86_400_000;
const cleanUpAt = (nowMs: number) => cleanUp({ deadlineAtMs: nowMs + 60_000 }, () => nowMs);

type Link = {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly expiresAt: string;
};

const ask = (body: object, query: Record<string, string> = {}) =>
  call(presignFile, {
    method: 'POST',
    address: randomUUID(),
    query,
    headers: { 'X-API-Key': SANDBOX_KEY },
    json: { name: 'large.bin', contentType: 'application/x-own', size: 7, ...body },
  });
const linkFor = async (name: string, size = 7, query = {}): Promise<Link> =>
  (await ask({ name, size }, query)).json() as Link;
const put = async ({ url, method, headers }: Link, content: string): Promise<number> =>
  (await fetch(url, { method, headers, body: content })).status;
const keyOf = ({ id }: Link, name: string) => `input/presigned/${id}/${name}`;

describe('POST /api/files/presigned', () => {
  test('answers a link by which the file is put, and the id of the job that its arrival creates', async () => {
    const { status, json } = await ask({ name: 'grande.bin' }, { profile: 'SECOND', format: 'cades' });
    const link = json() as Link;
    expect([status, link]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'PUT',
        url: expect.any(String),
        headers: { 'content-type': 'application/x-own' },
        expiresAt: expect.any(String),
      },
    ]);
    expect(termsOf(link.url).seconds).toBe(3_600);
    await expect(stage.job(link.id)).rejects.toThrow('There is no job');
    expect(await put(link, 'content')).toBe(200);
    await stage.arrive();
    expect(await stage.job(link.id)).toMatchObject({
      state: 'Queued',
      source: 'Upload',
      fileName: 'grande.bin',
      originalPath: 'input/uploads/grande.bin',
      profileName: 'second',
      folder: null,
    });
    await stage.run();
    expect(await stage.job(link.id)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await stage.keysOf(`input/presigned/${link.id}`)).toEqual([]);
  });

  test('signs the link for an hour, the type and the size', async () => {
    const { url } = await linkFor('signed.bin');
    expect(termsOf(url)).toEqual({ seconds: 3_600, headers: ['content-length', 'content-type'] });
  });
});

// Every announcement is wrong in what its row says and in everything below it: the refusal is that of its row.
describe('the first of these is the answer, as of POST /api/files', () => {
  const long = { name: 'a'.repeat(900), size: 200_000_000 };
  const codeOf = async (body: object, query: Record<string, string> = {}) => {
    const { status, json } = await ask(body, query);
    return `${status} ${(json() as { code?: string }).code}`;
  };

  test('upload.disabled, before the profile is looked for', async () => {
    vi.stubEnv('Upload__Enabled', 'false');
    expect(await codeOf({ name: '', size: 0 }, { profile: 'nobody', format: 'Zip' })).toBe(
      '409 upload.disabled',
    );
    vi.stubEnv('Upload__Enabled', 'true');
  });

  test.each([
    ['400 profile.not-found', { name: '', size: 0 }, { profile: 'nobody', format: 'Zip' }],
    ['409 profile.disabled', { name: '', size: 0 }, { profile: 'resting', format: 'Zip' }],
    ['409 profile.takes-no-files', { name: '', size: 0 }, { profile: 'foldered', format: 'Zip' }],
    ['400 upload.format-unsupported', { name: '', size: 0 }, { format: 'Zip' }],
    ['400 upload.empty', { name: '', size: 0 }, {}],
    ['400 upload.invalid-name', { name: '', size: 200_000_000 }, {}],
    ['400 upload.invalid-name', { name: '...', size: 200_000_000 }, {}],
    ['400 job.path-too-long', long, {}],
    ['413 upload.too-large', { size: 200_000_000 }, {}],
  ])('%s', async (expected, body, query) => {
    expect(await codeOf(body, query)).toBe(expected);
  });

  test('job.already-processing while a job is active, then file.already-processed', async () => {
    await stage.upload('taken.bin', 'content');
    expect(await codeOf({ name: 'TAKEN.bin' })).toBe('409 job.already-processing');
    await stage.run();
    expect(await codeOf({ name: 'TAKEN.bin' })).toBe('409 file.already-processed');
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    expect((await ask({ name: 'taken.bin' })).status).toBe(200);
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  });

  test.each([
    { size: -1 },
    { size: 1.5 },
    { contentType: 'none' },
    { contentType: 'a/b\r\nx: y' },
    { profile: 'second' },
  ])('request.invalid for %j', async (body) => {
    expect(await codeOf(body)).toBe('400 request.invalid');
  });
});

describe('a file that arrives by a link', () => {
  test('creates one job, however often it is told of and put again', async () => {
    const link = await linkFor('often.bin');
    const event = arrivalOf(keyOf(link, 'often.bin'));
    await put(link, 'content');
    await Promise.all([takeArrivals(event), takeArrivals(event)]);
    await stage.run();
    await put(link, 'CONTENT');
    await stage.arrive();
    await takeArrivals(event);
    await stage.run();
    expect(await stage.jobsOf('often.bin')).toMatchObject([{ id: link.id, state: 'Completed' }]);
    expect(await stage.textOf(keyOf(link, 'often.bin'))).toBe('CONTENT');
  });

  // A link may put its file again while it is valid:
  //
  //   sender  |--puts v1--|               |--puts v2--|
  //   job                   |--of v1----|               |--staged: it is not v1 any more--|
  test('and is put again before it is staged is not signed, and cannot be retried', async () => {
    const link = await linkFor('replaced.bin');
    await put(link, 'version');
    await stage.arrive();
    await put(link, 'VERSION');
    await stage.arrive();
    await stage.run();
    const job = await stage.job(link.id);
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.input-changed', staged: null });
    expect(await stage.keysOf('output/replaced')).toEqual([]);
    await expect(retryJob(job.id, Date.now())).rejects.toMatchObject({ code: 'job.input-missing' });
  });

  test('and is put again with the same bytes is signed', async () => {
    const link = await linkFor('repeated.bin');
    await put(link, 'content');
    await stage.arrive();
    await put(link, 'content');
    await stage.run();
    expect(await stage.job(link.id)).toMatchObject({ state: 'Completed' });
  });

  test('with another size creates no job, and is collected a day later', async () => {
    const link = await linkFor('other-size.bin', 7);
    await stage.put(keyOf(link, 'other-size.bin'), 'more than announced');
    await stage.arrive();
    await expect(stage.job(link.id)).rejects.toThrow('There is no job');
    await cleanUpAt(Date.now() + DAY_MS / 2);
    expect(await keysOf(`input/presigned/${link.id}`)).toHaveLength(1);
    await cleanUpAt(Date.now() + DAY_MS + 60_000);
    expect(await keysOf(`input/presigned/${link.id}`)).toEqual([]);
  });

  test('under another name, or that nobody announced, creates no job', async () => {
    const link = await linkFor('announced.bin');
    const keys = [keyOf(link, 'other.bin'), `input/presigned/${randomUUID()}/x.bin`, 'input/presigned/x'];
    for (const key of keys) await stage.put(key, 'content');
    await stage.arrive();
    for (const name of ['announced.bin', 'other.bin', 'x.bin']) expect(await stage.jobsOf(name)).toEqual([]);
  });

  test('whose announcement was followed by nothing leaves nothing', async () => {
    const link = await linkFor('never.bin');
    await takeArrivals(arrivalOf(keyOf(link, 'never.bin')));
    expect(await stage.jobsOf('never.bin')).toEqual([]);
  });

  test.each([
    ['file.already-processed', true],
    ['job.already-processing', false],
  ])('after another job took its name is a Failed job with %s, and is in error/', async (code, isRun) => {
    const name = `${code}.bin`;
    const link = await linkFor(name);
    await stage.upload(name, 'the first');
    if (isRun) await stage.run();
    await put(link, 'content');
    await stage.arrive();
    expect(await stage.job(link.id)).toMatchObject({ state: 'Failed', errorCode: code });
    expect(await stage.keysOf(`input/presigned/${link.id}`)).toEqual([]);
    expect(await stage.textOf(`error/${link.id}/${name}`)).toBe('content');
    await stage.run();
  });

  test('and whose notification is lost becomes a job at a look, once it is five minutes old', async () => {
    const link = await linkFor('untold.bin');
    const other = await linkFor('untold-size.bin');
    await put(link, 'content');
    await stage.put(keyOf(other, 'untold-size.bin'), 'more than announced');
    await drainQueue('batch', 'arrivals', async () => ({ batchItemFailures: [] }));
    const { logger } = stage.worker;
    const fifthMs = Math.floor(Date.now() / 300_000) * 300_000;
    const lookAt = (nowMs: number) => receiveUntold({ logger, now: () => nowMs, hasTime: () => true });
    expect((await countCalls(() => lookAt(fifthMs - 1))).total).toBe(0);
    await lookAt(fifthMs);
    expect(await stage.jobsOf('untold.bin')).toEqual([]);
    await Promise.all([lookAt(fifthMs + 600_000), lookAt(fifthMs + 600_000)]);
    await lookAt(fifthMs + 900_000);
    expect(await stage.jobsOf('untold.bin')).toMatchObject([{ id: link.id, state: 'Queued' }]);
    await expect(stage.job(other.id)).rejects.toThrow('There is no job');
    await stage.run();
    expect(await stage.job(link.id)).toMatchObject({ state: 'Completed' });
  });

  test('is refused once, and moved by the sweeper where the move failed', async () => {
    const link = await linkFor('late.bin');
    await stage.upload('late.bin', 'the first');
    await put(link, 'content');
    const away = onceAt('CopyObject', /^error\//, () => Promise.reject(new Error('S3 is away.')));
    await watchingS3({ before: away }, () => stage.arrive());
    await takeArrivals(arrivalOf(keyOf(link, 'late.bin')));
    await stage.sweep(60_000);
    expect(await stage.textOf(`error/${link.id}/late.bin`)).toBe('content');
    await stage.run();
  });
});

test('a worker that is killed after any write leaves one job for the link', async () => {
  for (let write = 1; ; write++) {
    const name = `killed-${write}.bin`;
    const link = await linkFor(name);
    await stage.put(keyOf(link, name), 'content');
    const event = arrivalOf(keyOf(link, name));
    const wasKilled = await killedAt(write, 'after', () => takeArrivals(event));
    await takeArrivals(event);
    await stage.run();
    expect(await stage.jobsOf(name)).toMatchObject([{ id: link.id, state: 'Completed' }]);
    if (!wasKilled) return expect(write).toBeGreaterThan(1);
  }
});
