import { beforeEach, describe, expect, test, vi } from 'vitest';
import { folderRecords } from '../../../../functions/batch/folders/domain/folder.ts';
import { recordEnqueues } from '../../../../functions/batch/folders/domain/take-arrival.ts';
import { handler as takeArrivals } from '../../../../functions/batch/folders/workers/take-arrivals.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { drainQueue } from '../../drain-queue.ts';
import { arrivalOf, arrivalStage, eventOf, onceAt, s3Record, watchingS3 } from './arrival-stage.ts';

const stage = await forFile(arrivalStage());
beforeEach(async () => {
  await stage.arrive();
});

const NONE_FAILED = { batchItemFailures: [] };

describe('a file in a folder', () => {
  test('becomes a job of the profile that selected the folder, is signed, and is deleted', async () => {
    const before = await stage.countOf('bulk_jobs_enqueued_total{folder="other"');
    const job = await stage.drop('report.bin', 'content', 'other');
    expect(job).toMatchObject({
      state: 'Queued',
      source: 'WatchedFolder',
      folder: 'other',
      originalPath: 'input/other/report.bin',
      profileName: 'second',
      format: 'Cades',
    });
    expect(await stage.countOf('bulk_jobs_enqueued_total{folder="other"')).toBe(before + 1);
    await stage.run();
    expect(await stage.jobsOf('report.bin')).toMatchObject([{ state: 'Completed', errorCode: null }]);
    expect(await stage.keysOf('output/report')).toEqual(['output/report.bin.p7m']);
    expect(await stage.keysOf('input/other/')).toEqual([]);
  });

  test.each(['relatório de março.bin', 'a+b & c%20d.bin', "it's (1)!*.bin", '日本.bin'])(
    'called %s is found under the name that S3 encodes',
    async (name) => {
      await stage.put(`input/inbox/${name}`, name);
      await stage.arrive();
      await stage.run();
      expect(await stage.jobsOf(name)).toMatchObject([
        { state: 'Completed', inputKey: `input/inbox/${name}` },
      ]);
    },
  );

  test('called nothing but spaces stays, and is no job', async () => {
    const key = 'input/inbox/   ';
    await stage.put(key, 'nameless');
    await stage.arrive();
    await stage.run();
    expect(await stage.keysOf(key)).toEqual([key]);
    expect(await stage.jobsOf('file')).toEqual([]);
  });

  test('makes one job, however often and in whatever order it is told of', async () => {
    const key = 'input/inbox/often.bin';
    await stage.put(key, 'first');
    await stage.put(key, 'second content');
    const repeated = arrivalOf(key, key, key, key, key, key);
    expect(await takeArrivals(repeated)).toEqual(NONE_FAILED);
    await stage.run();
    expect(await takeArrivals(repeated)).toEqual(NONE_FAILED);
    expect(await stage.jobsOf('often.bin')).toMatchObject([{ state: 'Completed', staged: { length: 14 } }]);
  });

  // Two workers are told of one file. The second is slow:
  //
  //   worker 1  |--sees it--|--job--|                     signed, deleted
  //   worker 2     |--sees it--- stalls ------------------------------------|--no job: it is gone since
  test('makes no second job by a worker that saw it before it was signed and deleted', async () => {
    const key = 'input/inbox/seen.bin';
    await stage.put(key, 'content');
    const meanwhile = onceAt('HeadObject', /seen\.bin$/, async () => {
      await takeArrivals(arrivalOf(key));
      await stage.run();
    });
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await watchingS3({ after: meanwhile }, () => takeArrivals(arrivalOf(key)));
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await stage.jobsOf('seen.bin')).toMatchObject([{ state: 'Completed' }]);
  });

  //   worker 1           |--sees b--|--job 2 fails--|
  //   worker 2  |--sees a---- stalls ------------------|--no job: b was seen later
  test('that failed is not run again by a worker that saw what was there before', async () => {
    const key = 'input/inbox/stale.pdf';
    await stage.put(key, 'one, not a PDF');
    const meanwhile = onceAt('HeadObject', /stale\.pdf$/, async () => {
      await expect.poll(Date.now, { interval: 1 }).toBeGreaterThan(startedAtMs);
      await stage.put(key, 'two, not a PDF either');
      await takeArrivals(arrivalOf(key));
      await stage.run();
    });
    const startedAtMs = Date.now();
    await watchingS3({ after: meanwhile }, () => takeArrivals(arrivalOf(key)));
    expect(await stage.jobsOf('stale.pdf')).toMatchObject([{ state: 'Failed' }]);
  });

  test('that is gone when its notification comes makes no job', async () => {
    expect(await takeArrivals(arrivalOf('input/inbox/gone.bin'))).toEqual(NONE_FAILED);
    expect(await stage.jobsOf('gone.bin')).toEqual([]);
  });

  test('that no profile has selected stays', async () => {
    expect(await stage.drop('kept.bin', 'content', 'spare')).toBeUndefined();
    expect(await stage.keysOf('input/spare/')).toEqual(['input/spare/kept.bin']);
  });

  test('of a disabled profile stays', async () => {
    await stage.profile({ name: 'second', inputFolder: 'other', enabled: false });
    expect(await stage.drop('resting.bin', 'content', 'other')).toBeUndefined();
    await stage.profile({ name: 'second', inputFolder: 'other' });
    expect(await stage.keysOf('input/other/')).toEqual(['input/other/resting.bin']);
  });

  test('with a path of more than 850 characters is logged and creates no job; one of 850 does', async () => {
    const nameOf = (length: number) => `${'a'.repeat(length - 'input/inbox/'.length - 4)}.bin`;
    await stage.put(`input/inbox/${nameOf(851)}`, 'content');
    const { lines } = await logOf(() => stage.arrive());
    expect(lines).toContainEqual(expect.objectContaining({ level: 'WARN', code: 'job.path-too-long' }));
    expect(await stage.keysOf('input/inbox/aaa')).toHaveLength(1);
    await stage.put(`input/inbox/${nameOf(850)}`, 'content');
    await stage.arrive();
    await stage.run();
    expect(await stage.keysOf('input/inbox/aaa')).toEqual([`input/inbox/${nameOf(851)}`]);
  });
});

describe('without any call to a store', () => {
  test.each([
    ...['draft.tmp', 'draft.PART', 'a.crdownload', '.hidden', '~$draft.docx', '.a.bin.swp', 'b.swp'],
    ...['a.bin.lease', 'folder/a.bin', ''],
  ])('the name %s is ignored', async (name) => {
    const calls = await countCalls(() => takeArrivals(arrivalOf(`input/inbox/${name}`)));
    expect(calls.total).toBe(0);
  });

  test.each([
    ['a file outside every folder', s3Record('input/elsewhere/a.bin')],
    ['a file beside a folder of a similar name', s3Record('input/inbox-2/a.bin')],
    ['an event that creates nothing', s3Record('input/inbox/a.bin', 'ObjectRemoved:Delete')],
    ['another bucket', s3Record('input/inbox/a.bin', 'ObjectCreated:Put', 'theirs')],
    ['a record of another shape', { eventName: 'ObjectCreated:Put' }],
    [
      'a key that is not encoded as S3 does',
      { ...s3Record('a'), s3: { bucket: { name: 'b' }, object: { key: '%' } } },
    ],
  ])('%s is dropped', async (_, record) => {
    const calls = await countCalls(async () =>
      expect(await takeArrivals(eventOf({ Records: [record] }))).toEqual(NONE_FAILED),
    );
    expect(calls.total).toBe(0);
  });

  test('the test event of S3 is dropped', async () => {
    const event = eventOf({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'any' });
    const calls = await countCalls(async () => expect(await takeArrivals(event)).toEqual(NONE_FAILED));
    expect(calls.total).toBe(0);
  });
});

describe('a notification', () => {
  test('with a name that no key of this service has is left out', async () => {
    const long = `input/inbox/${'é'.repeat(502)}.bin`;
    await stage.put(long, 'With .lease it has more than 1,024 bytes.');
    await stage.arrive();
    const keys = ['input/inbox/a\\b.bin', 'input/inbox/a\u0007.bin', long];
    const { result, lines } = await logOf(() => takeArrivals(arrivalOf(...keys)));
    expect(result).toEqual(NONE_FAILED);
    expect(lines.map(({ level, file }) => [level, file])).toEqual(keys.map((key) => ['WARN', key]));
    expect(await stage.jobsOf(safeFileName(`${'é'.repeat(502)}.bin`))).toEqual([]);
    await stage.remove(long);
  });

  test('that fails is delivered again, and the others of its batch and message are not lost', async () => {
    const keys = ['one', 'two', 'three'].map((name) => `input/inbox/batch-${name}.bin`);
    for (const key of keys) await stage.put(key, key);
    const event = eventOf(
      { Records: [s3Record(keys[0] ?? ''), s3Record(keys[1] ?? '')] },
      { Records: [s3Record(keys[2] ?? '')] },
    );
    const fail = onceAt('HeadObject', /batch-one/, () => Promise.reject(new Error('S3 is away.')));
    const answer = await watchingS3({ before: fail }, () => takeArrivals(event));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect(await stage.jobsOf('batch-one.bin')).toEqual([]);
    for (const name of ['two', 'three']) expect(await stage.jobsOf(`batch-${name}.bin`)).toHaveLength(1);
    expect(await takeArrivals(event)).toEqual(NONE_FAILED);
    for (const name of ['one', 'two', 'three'])
      expect(await stage.jobsOf(`batch-${name}.bin`)).toHaveLength(1);
    await stage.run();
  });

  test('that is not of S3 goes to the dead letters at once', async () => {
    expect(await takeArrivals(eventOf('not JSON'))).toEqual(NONE_FAILED);
    const dead = drainQueue('batch', 'arrivals-dead', async () => NONE_FAILED);
    await expect(dead).rejects.toThrow('not JSON');
  });
});

describe('the record of a folder', () => {
  const record = {
    name: 'inbox',
    profileName: 'default',
    instance: 'main',
    lastError: null,
    lastScanAtMs: 1,
    lastEnqueueAtMs: null,
  };

  test('has the time of the last file that was enqueued, written once for a batch', async () => {
    await stage.put('input/inbox/timed-1.bin', '1');
    await stage.put('input/inbox/timed-2.bin', '2');
    await folderRecords.put(record);
    const event = arrivalOf('input/inbox/timed-1.bin', 'input/inbox/timed-2.bin');
    const calls = await countCalls(() => takeArrivals(event));
    expect(calls.byCommand.UpdateItem).toBe(1);
    const found = await folderRecords.get('inbox');
    expect(found).toMatchObject({ ...record, lastEnqueueAtMs: expect.any(Number) });
    await takeArrivals(event);
    expect(await folderRecords.get('inbox')).toEqual(found);
  });

  test('is created by the first file that is enqueued, before any scan', async () => {
    await stage.profile({ name: 'third', inputFolder: 'spare' });
    expect(await stage.drop('timed-3.bin', '3', 'spare')).toMatchObject({ state: 'Queued' });
    expect(await folderRecords.get('spare')).toMatchObject({
      profileName: null,
      lastScanAtMs: 0,
      lastEnqueueAtMs: expect.any(Number),
    });
    await stage.run();
  });

  test('that a scan creates meanwhile has the time of the first file too', async () => {
    await commit([folderRecords.removing('other')]);
    const byScan = { ...record, name: 'other', profileName: 'second' };
    const create = vi.spyOn(folderRecords, 'create').mockImplementationOnce(async (first) => {
      await folderRecords.put(byScan);
      return folderRecords.create(first);
    });
    await recordEnqueues(new Set(['other']), stage.worker.logger, 7_000);
    create.mockRestore();
    expect(await folderRecords.get('other')).toMatchObject({ ...byScan, lastEnqueueAtMs: 7_000 });
  });
});
