import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as getOutput } from '../../../../functions/compact/endpoints/get-job-output.ts';
import { handler as rescanInput } from '../../../../functions/compact/endpoints/rescan-input.ts';
import { handler as runCleanup } from '../../../../functions/compact/endpoints/run-cleanup.ts';
import { forFile } from '../../../runner/for-file.ts';
import { folderStage } from '../../batch/folders/folder-stage.ts';
import { ask, refusalOf } from '../../batch/jobs/operator.ts';
import { list, read, uploaded } from '../client.ts';

const stage = await forFile(folderStage('inbox=input/inbox,spare=input/spare'));
await stage.profile({ name: 'default', default: true, inputFolder: 'inbox' });
afterEach(() => {
  vi.useRealTimers();
  vi.stubEnv('Retention__JobDays', undefined);
});

const rescan = async () => (await ask(rescanInput, { method: 'POST' })).json();

describe('a rescan', () => {
  test('answers how many files became jobs, and runs failed files again', async () => {
    await stage.put('input/inbox/one.txt', 'One.');
    await stage.put('input/inbox/bad.pdf', 'No PDF.');
    await stage.put('input/inbox/ignored.tmp', 'Ignored.');
    await stage.put('input/spare/unassigned.txt', 'Nobody signs it.');
    expect(await rescan()).toEqual({ enqueued: 2 });
    expect((await list({ source: 'WatchedFolder' })).total).toBe(2);
    await stage.run();
    expect((await list({ status: 'Failed' })).items).toMatchObject([{ fileName: 'bad.pdf' }]);
    expect(await rescan()).toEqual({ enqueued: 1 });
    expect((await list({ source: 'WatchedFolder' })).total).toBe(3);
    expect(await rescan()).toEqual({ enqueued: 0 });
  });

  test('takes no parameter: all folders are scanned', async () => {
    expect(await refusalOf(rescanInput, { method: 'POST', query: { folder: 'inbox' } })).toEqual([
      400,
      'validation.filter-invalid',
    ]);
  });
});

const DAY_MS = 86_400_000;

test('a cleanup answers six counts; then the output of a job that is kept is gone, with 410', async () => {
  await stage.run();
  const none = {
    jobsDeleted: 0,
    outputFilesDeleted: 0,
    errorFilesDeleted: 0,
    operationalEventsDeleted: 0,
    filesMissing: 0,
    errors: 0,
  };
  expect((await ask(runCleanup, { method: 'POST' })).json()).toEqual(none);

  const id = await uploaded('old.txt');
  await stage.run();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 91 * DAY_MS });
  vi.stubEnv('Retention__JobDays', '0');
  const { status, json } = await ask(runCleanup, { method: 'POST' });
  // The outputs of one.txt and old.txt, and the two copies of bad.pdf.
  expect([status, json()]).toEqual([200, { ...none, outputFilesDeleted: 2, errorFilesDeleted: 2 }]);
  expect(await refusalOf(getOutput, { params: { jobId: id } })).toEqual([410, 'job.output-gone']);

  vi.stubEnv('Retention__JobDays', '90');
  const { total } = await list();
  expect((await ask(runCleanup, { method: 'POST' })).json()).toMatchObject({ jobsDeleted: total });
  expect(await read(id)).toMatchObject({ status: 404, code: 'job.not-found' });
});
