import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { folderRecords } from '../../../../functions/batch/folders/domain/folder.ts';
import { listFolders } from '../../../../functions/batch/folders/domain/list-folders.ts';
import { SCANS_QUEUE, type ScanMessage } from '../../../../functions/batch/folders/domain/scan-message.ts';
import { scheduleScans } from '../../../../functions/batch/folders/domain/schedule-scans.ts';
import { handler as scanFolder } from '../../../../functions/batch/folders/workers/scan-folder.ts';
import { handler as schedule } from '../../../../functions/batch/folders/workers/schedule-scans.ts';
import { removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { shares } from '../../../../functions/batch/storage/domain/share.ts';
import { toRecord } from '../../../../infra/runtime/events/lambda-batch.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { sqs } from '../../../../shared/queue/client.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { drainQueue } from '../../drain-queue.ts';
import { folderStage } from './folder-stage.ts';

const stage = await forFile(folderStage());
beforeEach(async () => {
  vi.stubEnv('Storage__Inputs', 'inbox=input/inbox,parceiro=share:acme/entrada');
  await stage.addShare();
});
afterEach(() => vi.useRealTimers());

const record = (name: string) => folderRecords.get(name);
const status = async (name: string) => (await listFolders()).find((folder) => folder.name === name)?.status;

/** A time after the claim of the scan before, from which each scan is a minute later than the last. */
let laterMs = 0;
const later = () => {
  laterMs += 60_000;
  const atMs = Date.now() + laterMs;
  return { now: () => atMs };
};

/** Messages on the queue of scans now: none is delayed any more. */
const scan = (message: ScanMessage) =>
  scanFolder({ Records: [toRecord({ Body: JSON.stringify(message) }, '')] });

describe('the status of a folder', () => {
  test('is Unassigned while no profile selects it and Running as soon as one does, and an event of a scan tells each change', async () => {
    await stage.watch('inbox', later());
    expect([await record('inbox'), await status('inbox')]).toEqual([undefined, 'Unassigned']);

    await stage.profile({ name: 'b-profile', inputFolder: 'inbox' });
    expect([await record('inbox'), await status('inbox')]).toEqual([undefined, 'Running']);
    await stage.watch('inbox', later());
    expect(await record('inbox')).toMatchObject({
      profileName: 'b-profile',
      instance: 'main',
      lastError: null,
    });
    expect(await status('inbox')).toBe('Running');

    // Of several, the first by name.
    await stage.profile({ name: 'a-profile', inputFolder: 'inbox' });
    expect((await record('inbox'))?.profileName).toBe('b-profile');
    await stage.watch('inbox', later());
    expect((await record('inbox'))?.profileName).toBe('a-profile');

    await removeProfile('test', 'a-profile', Date.now());
    await removeProfile('test', 'b-profile', Date.now());
    expect(await status('inbox')).toBe('Unassigned');
    await scheduleScans(later().now());
    await scheduleScans(later().now());
    await stage.watch('inbox', later());
    expect(await stage.assignments()).toEqual([
      'The profile b-profile signs the files of the folder inbox.',
      'The profile a-profile signs the files of the folder inbox, in the place of b-profile.',
      'The profile a-profile no longer signs the files of the folder inbox. Nothing scans it.',
    ]);
  });

  test('is told of a folder that loses its profile between two runs of the schedule by its next scan', async () => {
    await stage.profile({ name: 'brief', inputFolder: 'inbox' });
    await stage.watch('inbox', later());
    await removeProfile('test', 'brief', Date.now());
    await stage.watch('inbox', later());
    expect((await stage.assignments()).at(-1)).toContain('no longer signs');
  });

  test.each([
    ['its share is not registered', () => commit([shares.removing('acme')]), /There is no share acme/],
    [
      'its bucket does not exist',
      () => stage.addShare({ bucket: 'no-such-bucket' }),
      /The share acme has no such bucket/,
    ],
    [
      'its share cannot be reached',
      () => stage.addShare({ endpoint: 'http://127.0.0.1:9' }),
      /The share acme is not reachable/,
    ],
  ])(
    'is Stopped, with the reason, while %s, and Running after a scan that succeeds',
    async (_, damage, reason) => {
      await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
      vi.stubEnv('Log__Level', 'ERROR');
      await damage();
      await stage.watch('parceiro', later());
      expect(await status('parceiro')).toBe('Stopped');
      expect((await record('parceiro'))?.lastError).toMatch(reason);
      expect((await record('parceiro'))?.lastError).not.toMatch(/127\.0\.0\.1|local/);
      await stage.addShare();
      await stage.watch('parceiro', later());
      expect(await record('parceiro')).toMatchObject({ profileName: 'parceiro', lastError: null });
      expect(await status('parceiro')).toBe('Running');
    },
  );

  test.each([
    [403, 'AccessDenied', "The service's bucket denies the access."],
    [500, 'InternalError', "The service's bucket answers with an error (500)."],
  ])('is Stopped when the store answers %i', async (httpStatusCode, name, lastError) => {
    await stage.profile({ name: 'default', inputFolder: 'inbox' });
    const failure = Object.assign(new Error('No.'), { name, $metadata: { httpStatusCode } });
    const store = mockClient(s3());
    store.on(ListObjectsV2Command).rejects(failure);
    await stage.watch('inbox', later());
    store.restore();
    expect([await status('inbox'), (await record('inbox'))?.lastError]).toEqual(['Stopped', lastError]);
    await stage.watch('inbox', later());
    expect(await status('inbox')).toBe('Running');
  });
});

describe('a scan of the watcher', () => {
  beforeEach(() => stage.profile({ name: 'default', inputFolder: 'inbox' }));

  test('does nothing while another one of the folder is under way, and a killed one is followed', async () => {
    await stage.watch('inbox', later());
    const { now } = later();
    const found = await record('inbox');
    if (!found) throw new Error('There is no record.');
    await folderRecords.change(found, { leaseEndsAtMs: now() + 15_000 });
    await stage.put('input/inbox/claimed.txt', 'It waits.');
    const calls = await countCalls(() => stage.watch('inbox', { now: () => now() + 14_999 }));
    expect(calls.byCommand.ListObjectsV2).toBeUndefined();
    await stage.watch('inbox', { now: () => now() + 15_000 });
    expect((await stage.jobOf('claimed.txt')).folder).toBe('inbox');
    await stage.run();
  });

  test('that meets another one at the same moment leaves the folder to it', async () => {
    const at = later();
    const calls = await countCalls(() => Promise.all([stage.watch('inbox', at), stage.watch('inbox', at)]));
    expect(calls.byCommand.ListObjectsV2).toBe(1);
  });

  test('that lasts renews its lease', async () => {
    await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
    await stage.putOnShare('entrada/watched.txt', 'Watched for long.');
    let nowMs = later().now();
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const pause = () => {
      begun.resolve();
      return held.promise;
    };
    const lasting = stage.watch('parceiro', { now: () => nowMs, pause });
    await begun.promise;
    expect((await record('parceiro'))?.leaseEndsAtMs).toBe(nowMs + 15_000);
    nowMs += 5_000;
    vi.advanceTimersByTime(5_000);
    while ((await record('parceiro'))?.leaseEndsAtMs !== nowMs + 15_000);
    held.resolve();
    await lasting;
    expect((await stage.jobOf('watched.txt')).folder).toBe('parceiro');
    await stage.run();
  });

  //   scan 1  |--claim------------------ stalls ----------------------- ends: the folder is not its own any more
  //   scan 2                 lease ends |--claim---------- goes on ----------------
  test('that has lost its lease does not free the folder of the next one', async () => {
    vi.stubEnv('Storage__Inputs', 'parceiro=share:acme/entrada?poll=5');
    await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
    await stage.putOnShare('entrada/stalled.txt', 'Watched for too long.');
    const { now } = later();
    const leaseEndsAtMs = now() + 60_000;
    const pause = async () => {
      const found = await record('parceiro');
      if (found) await folderRecords.change(found, { fence: (found.fence ?? 0) + 1, leaseEndsAtMs });
    };
    await stage.watch('parceiro', { now, pause });
    expect((await record('parceiro'))?.leaseEndsAtMs).toBe(leaseEndsAtMs);
    expect((await record('parceiro'))?.lastEnqueueAtMs).toBe(now());
    await stage.run();
  });

  test('of an idle folder takes four calls of the table and one of the store', async () => {
    await stage.watch('inbox', later());
    const { byCommand } = await countCalls(() => stage.watch('inbox', later()));
    expect(byCommand).toEqual({ GetItem: 2, Query: 1, UpdateItem: 1, ListObjectsV2: 1 });
  });

  test('of a folder that is polled every 5 s frees it at its end', async () => {
    vi.stubEnv('Storage__Inputs', 'parceiro=share:acme/entrada?poll=5');
    await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
    await stage.watch('parceiro', later());
    expect(await record('parceiro')).not.toHaveProperty('leaseEndsAtMs');
  });

  test('that is out of time goes on in a further message, and ends there', async () => {
    for (let n = 0; n < 12; n++) await stage.put(`input/inbox/rest-${n}.txt`, `File ${n}.`);
    let asked = 0;
    await stage.watch('inbox', { ...later(), hasTime: () => ++asked <= 5 });
    expect((await stage.jobs()).filter(({ fileName }) => fileName.startsWith('rest-'))).toHaveLength(5);
    expect(await drainQueue<ScanMessage>('batch', SCANS_QUEUE, scanFolder)).toEqual([
      { folder: 'inbox', watcher: 'main' },
    ]);
    expect((await stage.jobs()).filter(({ fileName }) => fileName.startsWith('rest-'))).toHaveLength(12);
    await stage.run();
  });

  test('that is late is dropped: a younger one follows', async () => {
    laterMs = 0;
    const late = await countCalls(() => scan({ folder: 'inbox', dueAtMs: Date.now() - 61_000 }));
    expect(late.total).toBe(0);
    const inTime = await countCalls(() => scan({ folder: 'inbox', dueAtMs: Date.now() }));
    expect(inTime.total).toBeGreaterThan(0);
  });

  test('of a folder that is no longer configured does nothing', async () => {
    expect((await countCalls(() => scan({ folder: 'removed' }))).total).toBe(0);
  });
});

describe('the schedule', () => {
  const MINUTE_AT_MS = Date.parse('2026-03-02T12:00:12Z');
  /** The scans that a run sends, by default where every folder was just scanned. */
  const due = async (inputs: string, atMs = MINUTE_AT_MS, lastScanAtMs = atMs) => {
    vi.stubEnv('Storage__Inputs', inputs);
    for (const name of ['inbox', 'parceiro'])
      await folderRecords.put({
        ...{ name, profileName: name === 'inbox' ? 'default' : 'parceiro', instance: 'main' },
        ...{ lastError: null, lastEnqueueAtMs: null, lastScanAtMs },
      });
    const sent: unknown[] = [];
    // Messages with a delay are not received at once: they are read on their way.
    const queue = mockClient(sqs());
    queue.on(SendMessageBatchCommand).callsFake(({ Entries = [] }: SendMessageBatchCommand['input']) => {
      for (const { MessageBody = '', DelaySeconds } of Entries)
        sent.push([(JSON.parse(MessageBody) as ScanMessage).folder, DelaySeconds]);
      return {};
    });
    await scheduleScans(atMs);
    queue.restore();
    return sent;
  };

  test('sends the scans of its minute, each at its time: 30 s by default on a share, 60 s in the bucket', async () => {
    await stage.profile({ name: 'default', inputFolder: 'inbox' });
    await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
    expect(await due('inbox=input/inbox,parceiro=share:acme/entrada,spare=input/spare')).toEqual([
      ['inbox', 48],
      ['parceiro', 18],
      ['parceiro', 48],
    ]);
    expect((await due('parceiro=share:acme/entrada?poll=5')).length).toBe(12);
  });

  test('sends a scan with an interval of more than a minute when it is due', async () => {
    const sends = [];
    for (let minute = 0; minute < 6; minute++)
      sends.push((await due('parceiro=share:acme/entrada?poll=90', MINUTE_AT_MS + minute * 60_000)).length);
    expect(sends).toEqual([0, 1, 1, 0, 1, 1]);
  });

  // The first run is at 12:00:12.0 and sends scans until 12:01:12.0. The second one is 60.9 s later.
  test('sends the scan that was due between the minute of the last run and this one, and no other', async () => {
    const atMs = MINUTE_AT_MS + 60_900;
    const secondsBefore = async (lastScanAtMs: number) =>
      (await due('parceiro=share:acme/entrada?poll=24', atMs, lastScanAtMs)).slice(0, 2);
    expect(await secondsBefore(MINUTE_AT_MS + 36_100)).toEqual([
      ['parceiro', 0],
      ['parceiro', 24],
    ]);
    // A run that was no later than usual finds that its scan has begun.
    expect(await secondsBefore(MINUTE_AT_MS + 60_000)).toEqual([
      ['parceiro', 24],
      ['parceiro', 48],
    ]);
    // One that was due before that is over: 12:00:00.
    expect(await due('parceiro=share:acme/entrada?poll=90', MINUTE_AT_MS + 60_000, 1)).toEqual([
      ['parceiro', 18],
    ]);
  });

  test('costs nothing where no folder is configured, and in every fifth minute a list', async () => {
    vi.stubEnv('Storage__Inputs', '');
    const { byCommand } = await countCalls(() => schedule());
    expect([{}, { ListObjectsV2: 1 }]).toContainEqual(byCommand);
  });

  test('and its worker scan a folder from the queue', async () => {
    vi.stubEnv('Storage__Inputs', 'inbox=input/inbox');
    await stage.put('input/inbox/scheduled.txt', 'On the hour.');
    // A run at the very moment that a scan is due sends it without a delay.
    const dueAtMs = Math.floor(Date.now() / 60_000) * 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: dueAtMs });
    await scheduleScans(dueAtMs);
    const found = await record('inbox');
    if (found) await folderRecords.change(found, { leaseEndsAtMs: 0 });
    expect(await drainQueue<ScanMessage>('batch', SCANS_QUEUE, scanFolder)).toMatchObject([
      { folder: 'inbox' },
    ]);
    expect((await stage.jobOf('scheduled.txt')).state).toBe('Queued');
    await stage.run();
  });
});
