import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { folderRecords } from '../../../../functions/batch/folders/domain/folder.ts';
import { rescan } from '../../../../functions/batch/folders/domain/rescan.ts';
import { SCANS_QUEUE, type ScanMessage } from '../../../../functions/batch/folders/domain/scan-message.ts';
import { handler as rescanFolders } from '../../../../functions/batch/folders/endpoints/rescan.ts';
import { handler as scanFolder } from '../../../../functions/batch/folders/workers/scan-folder.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { handler as clearJobs } from '../../../../functions/batch/jobs/endpoints/clear-jobs.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { OPERATOR } from '../jobs/jobs-in-state.ts';
import { ask, refusalOf } from '../jobs/operator.ts';
import { folderStage } from './folder-stage.ts';

const INPUTS = 'inbox=input/inbox,parceiro=share:acme/entrada,spare=input/spare';

const stage = await forFile(folderStage(INPUTS));
await stage.addShare();
await stage.profile({ name: 'default', inputFolder: 'inbox' });
await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
afterEach(async () => {
  await stage.run();
  for (const { key } of (await files('batch').list('input/')).files) await files('batch').remove(key);
  await ask(clearJobs, { method: 'DELETE' });
});

type Answer = Awaited<ReturnType<typeof rescan>>;
const call = async (query: Record<string, string> = {}) => {
  const answer = await ask(rescanFolders, { method: 'POST', query });
  expect(answer.status).toBe(200);
  return answer.json() as Answer;
};
const inbox = async () => (await call({ folder: 'inbox' })).folders[0];
/** The parts that were sent, to a worker that is lost: the outbox keeps them. */
async function whileListsHang<T>(work: () => Promise<T>): Promise<T> {
  const store = mockClient(s3());
  store.on(ListObjectsV2Command).callsFake(() => new Promise(() => undefined));
  try {
    return await work();
  } finally {
    store.restore();
  }
}

const receivedParts = () => drainQueue('batch', SCANS_QUEUE, async () => ({ batchItemFailures: [] }));
const parts = () => drainQueue<ScanMessage>('batch', SCANS_QUEUE, scanFolder);

describe('POST /api/rescan', () => {
  test('scans all folders at once and answers what became of their files', async () => {
    await stage.put('input/inbox/a.txt', 'A.');
    await stage.put('input/inbox/b.part', 'B.');
    await stage.put('input/spare/c.txt', 'C.');
    await stage.putOnShare('entrada/d.txt', 'D.');
    const none = { scanned: 0, enqueued: 0, alreadyActive: 0, ignored: 0, errors: 0 };
    expect(await call()).toEqual({
      folders: [
        {
          ...{ name: 'inbox', path: 'input/inbox', ...none },
          ...{ scanned: 2, enqueued: 1, ignored: 1, enqueuedFiles: ['a.txt'] },
        },
        {
          ...{ name: 'parceiro', path: 'share:acme/entrada', ...none },
          ...{ scanned: 1, enqueued: 1, enqueuedFiles: ['d.txt'] },
        },
        { name: 'spare', path: 'input/spare', ...none, enqueuedFiles: [] },
      ],
      totals: { ...none, scanned: 3, enqueued: 2, ignored: 1 },
      message:
        '3 files were scanned, and 2 became jobs. No profile has selected spare: nothing is scanned there.',
    });
    expect((await folderRecords.get('inbox'))?.profileName).toBe('default');
  });

  test('scans one folder, whatever the case of its name', async () => {
    await stage.put('input/inbox/one.txt', 'One.');
    const { folders } = await call({ folder: 'INBOX' });
    expect(folders).toMatchObject([{ name: 'inbox', enqueued: 1 }]);
  });

  test('refuses an unknown folder', async () => {
    expect(await refusalOf(rescanFolders, { method: 'POST', query: { folder: 'nowhere' } })).toEqual([
      404,
      'folder.not-found',
    ]);
  });
});

describe('a rescan', () => {
  test('runs failed files again, which the watcher does not', async () => {
    await stage.put('input/inbox/broken.xml', 'This is no XML.');
    await inbox();
    await stage.run();
    const failed = await stage.jobOf('broken.xml');
    expect(failed.state).toBe('Failed');
    expect((await stage.scan('inbox'))[0]).toMatchObject({ enqueued: 0 });
    expect(await inbox()).toMatchObject({ scanned: 1, enqueued: 1, enqueuedFiles: ['broken.xml'] });
    const again = await stage.jobOf('broken.xml');
    expect([again.id === failed.id, again.state]).toEqual([false, 'Queued']);
  });

  test('runs canceled files again, and counts those with a job at work as active', async () => {
    await stage.put('input/inbox/canceled.txt', 'Not this one.');
    await stage.put('input/inbox/queued.txt', 'This one.');
    await inbox();
    await cancelJob(OPERATOR, { id: (await stage.jobOf('canceled.txt')).id }, Date.now());
    expect(await inbox()).toMatchObject({ enqueued: 1, alreadyActive: 1, enqueuedFiles: ['canceled.txt'] });
  });

  test('runs a file again whose job was deleted', async () => {
    await stage.put('input/inbox/deleted.xml', 'This is no XML.');
    await inbox();
    await stage.run();
    await ask(clearJobs, { method: 'DELETE' });
    expect((await stage.scan('inbox'))[0]).toMatchObject({ enqueued: 0 });
    expect(await inbox()).toMatchObject({ enqueued: 1 });
  });

  // The writes of a job: lease, staged copy, end of the lease, Verifying, output, Completed. The seventh deletes the copy.
  test('never signs a file again that is signed and about to be deleted', async () => {
    await stage.put('input/inbox/signed.txt', 'Signed.');
    await inbox();
    const claimed = await stage.claim();
    if (!claimed) throw new Error('No job was claimed.');
    expect(await killedAt(7, 'before', () => stage.process(claimed))).toBe(true);
    expect((await stage.job(claimed.job.id)).state).toBe('Completed');
    expect(await files('batch').head('input/inbox/signed.txt')).toBeDefined();
    expect(await inbox()).toMatchObject({ scanned: 1, enqueued: 0, alreadyActive: 1 });
  });

  test('counts a file whose name is taken as an error', async () => {
    await stage.put('input/inbox/taken.txt', 'The first.');
    await inbox();
    await stage.run();
    await stage.put('input/inbox/taken.txt', 'The second.');
    expect(await inbox()).toMatchObject({ scanned: 1, enqueued: 0, errors: 1 });
  });

  test('of a folder that fails says why, counts an error and scans the others', async () => {
    await stage.put('input/inbox/other.txt', 'Another.');
    await stage.addShare({ bucket: 'no-such-bucket' });
    const { folders, message } = await call();
    await stage.addShare();
    expect(folders).toMatchObject([
      { name: 'inbox', enqueued: 1, errors: 0 },
      { name: 'parceiro', scanned: 0, errors: 1 },
      { name: 'spare' },
    ]);
    expect(message).toContain('parceiro: The share acme has no such bucket.');
    expect((await folderRecords.get('parceiro'))?.lastError).toMatch(/no such bucket/);
    await call({ folder: 'parceiro' });
    expect((await folderRecords.get('parceiro'))?.lastError).toBeNull();
  });
});

describe('a rescan that is out of time', () => {
  const logger = () => stage.scanner.logger;

  test('goes on in the background, and says so', async () => {
    for (let n = 0; n < 20; n++) await stage.put(`input/inbox/late-${n}.txt`, `File ${n}.`);
    const startMs = Date.now();
    let looks = 0;
    // Half a second passes between two looks at the clock, and the call has ten seconds.
    const result = await rescan(
      { folder: 'inbox' },
      { deadlineAtMs: startMs + 18_000, logger: logger() },
      () => startMs + 500 * looks++,
    );
    const { enqueued } = result.totals;
    expect(enqueued).toBeGreaterThan(0);
    expect(enqueued).toBeLessThan(20);
    expect(result.message).toContain('The rescan goes on in the background: inbox.');
    expect(await parts()).toMatchObject([{ folder: 'inbox', rescanAtMs: startMs }]);
    const made = (await stage.jobs()).filter(({ fileName }) => fileName.startsWith('late-'));
    expect(made).toHaveLength(20);
  });

  test('runs each failed file again once, however many parts it has', async () => {
    for (let n = 0; n < 6; n++) await stage.put(`input/inbox/bad-${n}.xml`, 'This is no XML.');
    await inbox();
    await stage.run();
    const rescanAtMs = Date.now();
    let asked = 0;
    const [first] = await stage.scan('inbox', { hasTime: () => ++asked <= 3 }, { rescanAtMs });
    expect(first).toMatchObject({ enqueued: 3, isDone: false });
    // The three fail again before the next part comes to them.
    await stage.run();
    const [second] = await stage.scan('inbox', {}, { rescanAtMs });
    expect(second).toMatchObject({ enqueued: 3, alreadyActive: 3, isDone: true });
  });

  test('leaves a folder that hangs to the background, and answers', async () => {
    await stage.put('input/inbox/hangs.txt', 'Listed later.');
    const nowMs = Date.now();
    // Four seconds are kept for what is recorded: the folder has none left.
    const deadline = { deadlineAtMs: nowMs + 4_000, logger: logger() };
    const result = await whileListsHang(() => rescan({ folder: 'inbox' }, deadline, () => nowMs));
    expect(result).toMatchObject({ totals: { scanned: 0, errors: 0 } });
    expect(result.message).toContain('goes on in the background: inbox');
    await parts();
    expect((await stage.jobOf('hangs.txt')).state).toBe('Queued');
  });

  // A part runs for 200 s at most, and its function for 300 s.
  test('is not sent a second time by the sweeper while a part may still run', async () => {
    const nowMs = Date.now();
    const deadline = { deadlineAtMs: nowMs, logger: logger() };
    await whileListsHang(() => rescan({ folder: 'inbox' }, deadline, () => nowMs));
    const sweepAfter = (ms: number) =>
      scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => nowMs + ms)();
    await sweepAfter(299_000);
    expect(await receivedParts()).toHaveLength(1);
    // The worker of that one is lost.
    await sweepAfter(301_000);
    expect(await parts()).toMatchObject([{ folder: 'inbox', rescanAtMs: nowMs }]);
  });

  test('ends where its folder has lost its profile', async () => {
    const nowMs = Date.now();
    const deadline = { deadlineAtMs: nowMs, logger: logger() };
    await whileListsHang(() => rescan({ folder: 'inbox' }, deadline, () => nowMs));
    vi.stubEnv('Storage__Inputs', 'spare=input/spare');
    expect(await parts()).toHaveLength(1);
    vi.stubEnv('Storage__Inputs', INPUTS);
  });
});
