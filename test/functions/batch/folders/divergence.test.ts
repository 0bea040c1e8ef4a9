import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, test, vi } from 'vitest';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { settleFilesOf } from '../../../../functions/batch/jobs/domain/engine/settle-files.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { bucketName } from '../../../../shared/settings/names.ts';
import { forFile } from '../../../runner/for-file.ts';
import { arrivalOf, arrivalStage, onceAt, watchingS3 } from './arrival-stage.ts';

const stage = await forFile(arrivalStage());

const keyOf = (name: string) => `input/inbox/${name}`;

async function putInParts(Key: string, content: string): Promise<void> {
  const object = { Bucket: bucketName('batch'), Key };
  const { UploadId } = await s3().send(new CreateMultipartUploadCommand(object));
  const part = { ...object, UploadId, PartNumber: 1 };
  const { ETag } = await s3().send(new UploadPartCommand({ ...part, Body: Buffer.from(content) }));
  const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
  await s3().send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
}

/** The moments at which a file is rewritten: the call to S3 that the writer comes before or after. */
const MOMENTS = [
  ['while it is staged', 'after', 'CopyObject', /^processing\//],
  ['while it is signed', 'before', 'PutObject', /^output\//],
  ['after it was compared, before it is deleted', 'before', 'DeleteObject', /^input\/inbox\/[^/]+\.bin$/],
] as const;

const CHANGES = [
  ['its length', 'another content'],
  ['its hash', 'CONTENT'],
] as const;

const CASES = MOMENTS.flatMap((moment) => CHANGES.map((change) => [...moment, ...change] as const));

// What is signed is what is staged, not what was found:
//
//   owner    |--tag a--|          |--tag b--|
//   service             |--job--|            |--stages, signs b--| killed      |--sees b: known, and not a new file--|
describe('a file of a folder that is rewritten before it is staged', () => {
  test.each([true, false])('is signed once, though its deletion is late; names once: %s', async (isOnce) => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', String(isOnce));
    const name = `before staging ${isOnce}.bin`;
    await stage.drop(name, 'content');
    await stage.put(keyOf(name), 'second content');
    const fails = onceAt('DeleteObject', /^processing\//, () => Promise.reject(new Error('S3 is away.')));
    await watchingS3({ before: fails }, () => stage.run());
    await takeArrivals(arrivalOf(keyOf(name)));
    await stage.run();
    await stage.sweep(60_000);
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await stage.jobsOf(name)).toMatchObject([{ state: 'Completed', staged: { length: 14 } }]);
    expect(await stage.keysOf(keyOf(name))).toEqual([]);
  });

  test('and fails, is not enqueued again', async () => {
    await stage.drop('broken.pdf', 'no PDF');
    await stage.put(keyOf('broken.pdf'), 'still no PDF');
    await stage.run();
    await takeArrivals(arrivalOf(keyOf('broken.pdf')));
    expect(await stage.jobsOf('broken.pdf')).toMatchObject([{ state: 'Failed', staged: { length: 12 } }]);
  });

  test('again and again, fails its job and stays, and is signed when it rests', async () => {
    await stage.drop('restless.bin', 'content');
    let version = 0;
    const rewrite = (call: { command: string }) =>
      call.command === 'CopyObject' ? stage.put(keyOf('restless.bin'), `version ${++version}`) : undefined;
    await watchingS3({ before: rewrite }, () => stage.run());
    const errorMessage = expect.stringContaining('rewritten again and again');
    expect(await stage.jobsOf('restless.bin')).toMatchObject([{ state: 'Failed', errorMessage }]);
    expect(await stage.textOf(keyOf('restless.bin'))).toBe(`version ${version}`);
    await stage.arrive();
    await stage.run();
    expect((await stage.jobsOf('restless.bin')).at(-1)).toMatchObject({ state: 'Completed' });
  });
});

describe('a file of a folder that is rewritten', () => {
  test.each(CASES)('%s (%s %s %s), in %s', async (when, side, command, key, what, rewritten) => {
    const name = `${when} in ${what}.bin`;
    const [events, counted] = [
      await stage.eventsOf('InputDiverged'),
      await stage.countOf('bulk_inputs_diverged_total'),
    ];
    await stage.drop(name, 'content');
    const rewrite = onceAt(command, key, () => stage.put(keyOf(name), rewritten));
    await watchingS3({ [side]: rewrite }, () => stage.run());
    const [job] = await stage.jobsOf(name);
    // It stays, the job is Completed with its code, and it is told and counted once.
    expect(job).toMatchObject({ state: 'Completed', errorCode: 'job.input-diverged', staged: { length: 7 } });
    expect(job?.history.at(-1)).toMatchObject({ status: 'Completed', message: job?.errorMessage });
    expect(await stage.textOf(keyOf(name))).toBe(rewritten);
    await settleFilesOf(job?.id ?? '', Date.now());
    expect(await stage.eventsOf('InputDiverged')).toBe(events + 1);
    expect(await stage.countOf('bulk_inputs_diverged_total')).toBe(counted + 1);
    // It is a new candidate, and the name rule applies.
    await takeArrivals(arrivalOf(keyOf(name)));
    const [, refused] = await stage.jobsOf(name);
    expect(refused).toMatchObject({ state: 'Failed', errorCode: 'file.already-processed' });
    expect(await stage.textOf(`error/${refused?.id}/${name}`)).toBe(rewritten);
    expect(await stage.keysOf(keyOf(name))).toEqual([]);
  });

  test('is signed as a new file where names may repeat', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await stage.drop('again.bin', 'content');
    const rewrite = onceAt('PutObject', /^output\//, () => stage.put(keyOf('again.bin'), 'rewritten'));
    await watchingS3({ before: rewrite }, () => stage.run());
    await takeArrivals(arrivalOf(keyOf('again.bin')));
    await stage.run();
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await stage.jobsOf('again.bin')).toMatchObject([
      { state: 'Completed', errorCode: 'job.input-diverged' },
      { state: 'Completed', errorCode: null, staged: { length: 9 } },
    ]);
    expect(await stage.keysOf(keyOf('again.bin'))).toEqual([]);
  });

  //   found     |--a--|--job, INPUT a--|
  //   writer                |--b--|             |--a--|
  //   worker                        |--signs b--|        |--not b: diverged--|
  test('and rewritten again to what it was found as, is a new candidate all the same', async () => {
    await stage.drop('back.bin', 'as it was');
    await stage.put(keyOf('back.bin'), 'for a moment');
    const rewrite = onceAt('PutObject', /^output\//, () => stage.put(keyOf('back.bin'), 'as it was'));
    await watchingS3({ before: rewrite }, () => stage.run());
    expect(await stage.jobsOf('back.bin')).toMatchObject([{ errorCode: 'job.input-diverged' }]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await takeArrivals(arrivalOf(keyOf('back.bin')));
    vi.useRealTimers();
    expect(await stage.jobsOf('back.bin')).toHaveLength(2);
  });

  //   job 1   |--Completed-- killed                        sweeper: |--INPUT is job 2's: leaves it, diverged--|
  //   writer        |--the same bytes in parts, so with another tag--|--job 2--|
  test('before its job was settled, and has a job, is left to that one, whatever its bytes', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await stage.drop('owned.bin', 'content');
    const stop = onceAt('GetObject', /^input\//, () => Promise.reject(new Error('S3 is away.')));
    await watchingS3({ before: stop }, () => stage.run());
    await putInParts(keyOf('owned.bin'), 'content');
    await stage.arrive();
    await stage.sweep(60_000);
    expect(await stage.textOf(keyOf('owned.bin'))).toBe('content');
    await stage.run();
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await stage.jobsOf('owned.bin')).toMatchObject([
      { state: 'Completed', errorCode: 'job.input-diverged' },
      { state: 'Completed', errorCode: null },
    ]);
    expect(await stage.keysOf(keyOf('owned.bin'))).toEqual([]);
  });

  test('before it is staged is signed as it is then, and deleted', async () => {
    await stage.drop('early.bin', 'content');
    await stage.drop('early.bin', 'rewritten');
    await stage.run();
    expect(await stage.jobsOf('early.bin')).toMatchObject([
      { state: 'Completed', errorCode: null, staged: { length: 9 } },
    ]);
    expect(await stage.keysOf(keyOf('early.bin'))).toEqual([]);
  });
});

test('a rewritten upload stays, and is no candidate', async () => {
  const { id, inputKey } = await stage.upload('upload.bin', 'content');
  const rewrite = onceAt('PutObject', /^output\//, () => stage.put(inputKey ?? '', 'rewritten'));
  await watchingS3({ before: rewrite }, () => stage.run());
  expect(await stage.job(id)).toMatchObject({ state: 'Completed', errorCode: 'job.input-diverged' });
  expect(JSON.stringify(await stage.arrive())).not.toContain('upload.bin');
  expect(await stage.jobsOf('upload.bin')).toHaveLength(1);
  expect(await stage.textOf(inputKey ?? '')).toBe('rewritten');
});
