import { describe, expect, test, vi } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { retryJob } from '../../../../functions/batch/jobs/domain/retry-job.ts';
import { forFile } from '../../../runner/for-file.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { arrivalOf, arrivalStage, onceAt, watchingS3 } from './arrival-stage.ts';

const stage = await forFile(arrivalStage());

describe('a file whose name a job carries', () => {
  test('Completed, in any case, has a Failed job with file.already-processed, and is in error/', async () => {
    await stage.drop('Once.bin', 'first');
    await stage.run();
    const failures = await stage.countOf('bulk_jobs_failed_total');
    const refused = await stage.drop('oNCE.bin', 'second', 'other');
    expect(refused).toMatchObject({
      state: 'Failed',
      errorCode: 'file.already-processed',
      folder: 'other',
      originalPath: 'input/other/oNCE.bin',
      history: [{ id: 1, status: 'Failed' }],
    });
    expect(await stage.keysOf('input/other/')).toEqual([]);
    expect(await stage.textOf(`error/${refused?.id}/oNCE.bin`)).toBe('second');
    expect(await stage.countOf('bulk_jobs_failed_total')).toBe(failures + 1);
    expect(await stage.jobsOf('Once.bin')).toMatchObject([{ state: 'Completed' }]);
  });

  test('an upload, is refused too, and an upload of the name of a file is', async () => {
    await stage.upload('shared.bin', 'uploaded');
    expect(await stage.drop('shared.bin', 'dropped')).toMatchObject({ errorCode: 'file.already-processed' });
    await stage.drop('reverse.bin', 'dropped');
    const upload = stage.upload('reverse.bin', 'uploaded');
    await expect(upload).rejects.toMatchObject({ code: 'file.already-processed' });
    await stage.run();
  });

  test('only up to where long names are cut, is signed: it has another name', async () => {
    const names = ['1', '2'].map((ending) => `${'l'.repeat(300)}${ending}.bin`);
    for (const name of names) await stage.drop(name, name);
    await stage.run();
    for (const name of names)
      expect(await stage.jobsOf(name)).toMatchObject([
        { state: 'Completed', originalPath: `input/inbox/${name}` },
      ]);
  });

  test('is signed where Pipeline:RejectAlreadyProcessedFileNames is off', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await stage.drop('twice.bin', 'first');
    await stage.run();
    await stage.drop('twice.bin', 'second');
    await stage.run();
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await stage.jobsOf('twice.bin')).toMatchObject([{ state: 'Completed' }, { state: 'Completed' }]);
  });

  test('is signed when it comes after that job has failed', async () => {
    await stage.drop('freed.pdf', 'not a PDF');
    await stage.run();
    expect(await stage.drop('freed.pdf', 'another, of another folder', 'other')).toMatchObject({
      state: 'Queued',
    });
    await stage.run();
  });

  test('is, of two folders at the same moment, signed once; the other is Failed and in error/', async () => {
    for (let round = 1; round <= 5; round++) {
      const name = `both-${round}.bin`;
      const keys = [`input/inbox/${name}`, `input/other/${name}`];
      await Promise.all(keys.map((key) => stage.put(key, key)));
      await Promise.all(keys.map((key) => takeArrivals(arrivalOf(key))));
      await stage.run();
      const [signed, refused] = (await stage.jobsOf(name)).toSorted((a, b) => (a.state < b.state ? -1 : 1));
      expect([signed?.state, refused?.state]).toEqual(['Completed', 'Failed']);
      expect(refused?.errorCode).toBe('file.already-processed');
      expect(await stage.textOf(`error/${refused?.id}/${name}`)).toBe(refused?.inputKey);
      expect(await stage.keysOf(`output/both-${round}`)).toHaveLength(1);
      for (const key of keys) expect(await stage.keysOf(key)).toEqual([]);
    }
  });

  //   worker   |--a is refused: Failed job-- killed                 sweeper: |--INPUT is job 2's: leaves the file--|
  //   owner         |--deletes the other job--|--rewrites it: job 2--|
  test('stays when it was rewritten before it was moved, and has its own job', async () => {
    const key = 'input/other/moved.bin';
    await stage.drop('moved.bin', 'first');
    await stage.put(key, 'refused');
    const away = onceAt('CopyObject', /^error\//, () => Promise.reject(new Error('S3 is away.')));
    await watchingS3({ before: away }, () => stage.arrive());
    const [first] = await stage.jobsOf('moved.bin');
    await cancelJob(OPERATOR, { id: first?.id ?? '' }, Date.now());
    await stage.put(key, 'rewritten');
    await stage.arrive();
    await stage.sweep(60_000);
    expect(await stage.textOf(key)).toBe('rewritten');
    await stage.run();
    const jobs = await stage.jobsOf('moved.bin');
    expect(jobs.map(({ state }) => state).toSorted()).toEqual(['Canceled', 'Completed', 'Failed']);
  });

  test('is moved by the sweeper where the move failed', async () => {
    await stage.drop('late.bin', 'first');
    await stage.put('input/other/late.bin', 'second');
    const away = onceAt('CopyObject', /^error\//, () => Promise.reject(new Error('S3 is away.')));
    await watchingS3({ before: away }, () => stage.arrive());
    expect(await stage.keysOf('input/other/late')).toHaveLength(1);
    await stage.sweep(60_000);
    expect(await stage.keysOf('input/other/late')).toEqual([]);
    const [refused] = (await stage.jobsOf('late.bin')).filter(({ state }) => state === 'Failed');
    expect(await stage.textOf(`error/${refused?.id}/late.bin`)).toBe('second');
    await stage.run();
  });
});

describe.each(['failed', 'canceled'])('a file whose job was %s', (end) => {
  const name = `${end}.pdf`;
  const key = `input/inbox/${name}`;
  const endJob = async () => {
    const job = (await stage.jobsOf(name)).at(-1);
    if (end === 'canceled') await cancelJob(OPERATOR, { id: job?.id ?? '' }, Date.now());
    else await stage.run();
  };

  test('stays, and is not enqueued again while it is unchanged', async () => {
    await stage.drop(name, 'not a PDF');
    await endJob();
    await stage.put(key, 'not a PDF');
    await stage.arrive();
    await takeArrivals(arrivalOf(key, key));
    expect(await stage.jobsOf(name)).toHaveLength(1);
    expect(await stage.textOf(key)).toBe('not a PDF');
  });

  test('is enqueued again when it is rewritten, in its length or in its content', async () => {
    await stage.drop(name, 'longer, and not a PDF');
    expect(await stage.jobsOf(name)).toHaveLength(2);
    await endJob();
    await stage.drop(name, 'LONGER, AND NOT A PDF');
    expect(await stage.jobsOf(name)).toHaveLength(3);
    await endJob();
  });
});

test('a failed file is run again by Retry', async () => {
  await stage.drop('retried.pdf', 'not a PDF');
  await stage.run();
  const [failed] = await stage.jobsOf('retried.pdf');
  const retry = await retryJob(failed?.id ?? '', Date.now());
  await stage.run();
  expect(await stage.job(retry.id)).toMatchObject({
    state: 'Failed',
    parentJobId: failed?.id,
    folder: 'inbox',
  });
  await takeArrivals(arrivalOf('input/inbox/retried.pdf'));
  expect(await stage.jobsOf('retried.pdf')).toHaveLength(2);
});
