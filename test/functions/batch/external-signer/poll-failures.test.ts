import { afterEach, describe, expect, test, vi } from 'vitest';
import { externalService } from '../../../../functions/batch/config/external-service.ts';
import { passRecords } from '../../../../functions/batch/external-signer/domain/pass.ts';
import { pollSigners } from '../../../../functions/batch/external-signer/domain/poll/poll-signers.ts';
import { releasingSlot, takingSlot } from '../../../../functions/batch/jobs/domain/engine/slots.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { forFile } from '../../../runner/for-file.ts';
import { counted } from './counted.ts';
import { signerStage } from './stage.ts';

const stage = await forFile(signerStage());
afterEach(async () => {
  stage.platform.misbehave = () => undefined;
  vi.restoreAllMocks();
  for (const document of stage.platform.documents.values()) document.status = 'Canceled';
  const pass = await passRecords.get('poll');
  if (pass) await passRecords.change(pass, { notBeforeMs: 0 });
  await stage.poll();
});

const HOUR_MS = 3_600_000;
let uploaded = 0;
const next = (): string => `file-${++uploaded}.pdf`;

async function concluded(): Promise<Job> {
  const job = await stage.dispatched(next());
  await stage.conclude(job);
  return job;
}

/** Polls while the temporary folder is not there. */
async function pollWithoutDisk(offsetMs = 0): Promise<void> {
  const before = process.env.TMPDIR;
  vi.stubEnv('TMPDIR', '/nowhere');
  await stage.poll(offsetMs);
  vi.stubEnv('TMPDIR', before);
}

/** The retry of a failed job has its document, and completes. */
async function expectTakenOver(job: Job): Promise<void> {
  const { id } = await retryJob(job.id, Date.now());
  await stage.run();
  expect(await stage.job(id)).toMatchObject({ dispatch: { documentId: stage.documentOf(job).id } });
  await stage.poll();
  expect((await stage.job(id)).state).toBe('Completed');
}

describe('a signed document that cannot be stored here', () => {
  test('is a failed poll that is logged, and too many fail the job; its retry takes the document over', async () => {
    const job = await concluded();
    const errors = vi.spyOn(stage.worker.logger, 'error').mockReturnValue(undefined);
    for (let poll = 1; poll <= 5; poll++) {
      await pollWithoutDisk();
      expect(await stage.job(job.id)).toMatchObject({
        state: 'AwaitingSigner',
        dispatch: { failedPolls: poll },
      });
    }
    const message = 'A signed document could not be taken over.';
    const fields = { jobId: job.id, error: expect.objectContaining({ code: 'ENOENT' }) };
    expect(errors.mock.calls).toEqual(Array.from({ length: 5 }, () => [message, fields]));
    await pollWithoutDisk();
    const failed = await stage.job(job.id);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
    expect(failed.errorMessage).toContain('could not be stored here in 6 polls in a row');
    await expectTakenOver(job);
  });

  test('waits no longer than Signer:TimeoutHours, and is not canceled: its retry takes it over', async () => {
    const job = await concluded();
    vi.spyOn(stage.worker.logger, 'error').mockReturnValue(undefined);
    await pollWithoutDisk(169 * HOUR_MS);
    const failed = await stage.job(job.id);
    expect(failed).toMatchObject({ state: 'Failed', errorCode: 'signer.timeout' });
    expect(failed.errorMessage).toContain('is signed, but could not be taken over within 168 hours');
    await stage.runTasks();
    expect(stage.platform.calls.filter((call) => call.endsWith('/cancellation'))).toEqual([]);
    await expectTakenOver(job);
  });

  test('for want of a slot waits, and no longer than Signer:TimeoutHours', async () => {
    const job = await concluded();
    const { id: jobId, format, profileName, fence } = job;
    const taken = Array.from({ length: 32 }, (_, n) =>
      takingSlot({ number: 32 + n, jobId, format, profileName, fence }, Date.now()),
    );
    await commit(taken);
    await stage.poll();
    expect(await stage.job(jobId)).toEqual(job);
    await stage.poll(169 * HOUR_MS);
    expect(await stage.job(jobId)).toMatchObject({ state: 'Failed', errorCode: 'signer.timeout' });
    await commit(taken.map(({ after }) => releasingSlot(after)));
  });

  test('because it is too large is a failed poll', async () => {
    const job = await concluded();
    vi.stubEnv('Upload__MaxBytes', '1000');
    await stage.poll();
    expect(await stage.job(job.id)).toMatchObject({ state: 'AwaitingSigner', dispatch: { failedPolls: 1 } });
    vi.stubEnv('Upload__MaxBytes', undefined);
    await stage.poll();
    expect((await stage.job(job.id)).state).toBe('Completed');
  });
});

// The function has 300 s: |--begins conclusions: 100 s--|--downloads: 150 s--|--verifies, releases: 50 s--|
test('a conclusion begins in the first 100 s of a pass, and its download has 150 s', async () => {
  const job = await concluded();
  const downloads = vi.spyOn(externalService, 'downloadSigned');
  const pollTaking = async (readMs: number): Promise<void> => {
    let nowMs = Date.now();
    const startedAtMs = nowMs;
    stage.platform.misbehave = (call) => {
      if (!call.endsWith('/content')) nowMs = startedAtMs + readMs;
      return undefined;
    };
    await pollSigners({ ...stage.worker, now: () => nowMs, hasTime: () => true });
    const [, , deadline] = downloads.mock.calls.at(-1) ?? [];
    if (deadline) expect(deadline.atMs - nowMs).toBe(150_000);
  };
  await pollTaking(100_000);
  expect(downloads).not.toHaveBeenCalled();
  expect(await stage.job(job.id)).toEqual(job);
  await pollTaking(99_999);
  expect(downloads).toHaveBeenCalledOnce();
  expect((await stage.job(job.id)).state).toBe('Completed');
});

const tooMany = (retryAfter?: string) => ({
  status: 429,
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
});

/** Polls, and answers how many calls that made. */
async function callsOf(offsetMs = 0): Promise<number> {
  stage.platform.calls.length = 0;
  await stage.poll(offsetMs);
  return stage.platform.calls.length;
}

describe('an external service that answers 429', () => {
  test.each([
    ['with Retry-After', '30'],
    ['without Retry-After', undefined],
    ['with one that cannot be read', 'soon'],
  ])('%s ends the pass, and no job has a failed poll', async (_, retryAfter) => {
    const waiting: Job[] = [];
    for (let n = 0; n < 12; n++) waiting.push(await stage.dispatched(next()));
    stage.platform.misbehave = () => tooMany(retryAfter);
    expect(await callsOf()).toBeLessThanOrEqual(8);
    for (const job of waiting) expect(await stage.job(job.id)).toEqual(job);
  });

  test.each([
    ['30', 29_000, 31_000],
    ['86400', HOUR_MS - 10_000, HOUR_MS + 1_000],
  ])(
    'with Retry-After %s is left alone so long, an hour at most',
    async (retryAfter, tooEarlyMs, laterMs) => {
      await stage.dispatched(next());
      stage.platform.misbehave = () => tooMany(retryAfter);
      expect(await callsOf()).toBe(1);
      stage.platform.misbehave = () => undefined;
      expect(await callsOf()).toBe(0);
      expect(await callsOf(tooEarlyMs)).toBe(0);
      expect(await callsOf(laterMs)).toBe(1);
      // The pause is over.
      expect(await callsOf()).toBe(1);
    },
  );

  test('to a download is no failed poll either', async () => {
    const job = await concluded();
    stage.platform.misbehave = (call) => (call.endsWith('/content') ? tooMany() : undefined);
    await stage.poll();
    expect(await stage.job(job.id)).toEqual(job);
  });

  test('makes no job wait longer than Signer:TimeoutHours', async () => {
    const job = await stage.dispatched(next());
    stage.platform.misbehave = () => tooMany('60');
    await stage.poll(169 * HOUR_MS);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'signer.timeout' });
  });
});

test('without an external service a waiting job fails, as with one that does not answer', async () => {
  const job = await stage.dispatched(next());
  vi.stubEnv('Signer__ApiKey', '');
  vi.stubEnv('Signer__BaseAddress', undefined);
  for (let poll = 0; poll < 6; poll++) await stage.poll();
  vi.stubEnv('Signer__ApiKey', 'app|secret');
  vi.stubEnv('Signer__BaseAddress', stage.platform.url);
  const failed = await stage.job(job.id);
  expect(failed).toMatchObject({ state: 'Failed', errorCode: 'signer.unreachable' });
  expect(failed.errorMessage).toContain('Signer:ApiKey');
});

describe('the metrics', () => {
  const errorsOf = (op: string) => counted(new RegExp(`^bulk_signer_api_errors_total.*"${op}"`));
  // The buckets of a histogram count its observations; its sum is apart.
  const passes = () => counted(/^bulk_signer_poll_duration_seconds.* (?!sum$)\S+$/);

  test('count the errors of the external service by what was asked', async () => {
    const job = await concluded();
    const [polls, downloads] = [await errorsOf('poll'), await errorsOf('download')];
    for (const answer of [{ status: 503 }, tooMany()]) {
      stage.platform.misbehave = () => answer;
      await stage.poll();
      stage.platform.misbehave = (call) => (call.endsWith('/content') ? answer : undefined);
      await stage.poll();
    }
    expect([await errorsOf('poll'), await errorsOf('download')]).toEqual([polls + 2, downloads + 2]);
    vi.spyOn(stage.worker.logger, 'error').mockReturnValue(undefined);
    await pollWithoutDisk();
    expect(await errorsOf('download')).toBe(downloads + 2);
    stage.platform.misbehave = () => undefined;
    await stage.poll();
    expect((await stage.job(job.id)).state).toBe('Completed');
    expect([await errorsOf('poll'), await errorsOf('download')]).toEqual([polls + 2, downloads + 2]);
  });

  test('observe how long each pass takes, and none where no job waits', async () => {
    const before = await passes();
    await stage.poll();
    expect(await passes()).toBe(before);
    await stage.dispatched(next());
    await stage.poll();
    expect(await passes()).toBe(before + 1);
  });
});
