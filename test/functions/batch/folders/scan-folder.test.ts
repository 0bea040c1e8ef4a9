import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test, vi } from 'vitest';
import { requireFolder } from '../../../../functions/batch/folders/domain/folder.ts';
import { takeFile } from '../../../../functions/batch/folders/domain/take-file.ts';
import { profiles, readProfile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { ownBucket } from '../../../../shared/files/client.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { type FolderStage, folderStage } from './folder-stage.ts';

const stage = await forFile(
  folderStage(
    'inbox=input/inbox,many=input/many,off=input/off,parceiro=share:acme/entrada,slow=share:acme/slow',
  ),
);
await stage.addShare();
await stage.profile({ name: 'default', inputFolder: 'inbox' });
await stage.profile({ name: 'many', inputFolder: 'many' });
await stage.profile({ name: 'off', inputFolder: 'off' });
await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
await stage.profile({ name: 'slow', inputFolder: 'slow' });

const countsOf = ([page]: Awaited<ReturnType<FolderStage['scan']>>) => {
  const { scanned, enqueued, alreadyActive, ignored, errors } = page ?? {};
  return { scanned, enqueued, alreadyActive, ignored, errors };
};

describe('a scan', () => {
  test('finds a file whose notification was lost, and a second scan makes no second job', async () => {
    await stage.put('input/inbox/lost.txt', 'Nobody was told.');
    const [page] = await stage.scan('inbox');
    expect(page).toMatchObject({ enqueued: 1, enqueuedFiles: ['lost.txt'], isDone: true });
    expect(await stage.jobOf('lost.txt')).toMatchObject({
      state: 'Queued',
      folder: 'inbox',
      source: 'WatchedFolder',
      originalPath: 'input/inbox/lost.txt',
      profileName: 'default',
    });
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ scanned: 1, enqueued: 0, alreadyActive: 1 });
    await stage.run();
    expect((await stage.jobOf('lost.txt')).state).toBe('Completed');
    expect(await files('batch').head('input/inbox/lost.txt')).toBeUndefined();
  });

  test('ignores work in progress by its name, leases and the folders of the folder', async () => {
    const ignored = [
      'a.tmp',
      'B.PART',
      'c.crdownload',
      'd.swp',
      '.e',
      '~$f.docx',
      'g.txt.lease',
      'sub/h.txt',
    ];
    for (const name of ignored) await stage.put(`input/inbox/${name}`, name);
    await stage.put('input/inbox/i.txt', 'A file.');
    expect(countsOf(await stage.scan('inbox'))).toEqual({
      scanned: 9,
      enqueued: 1,
      alreadyActive: 0,
      ignored: 8,
      errors: 0,
    });
    for (const name of ignored) await files('batch').remove(`input/inbox/${name}`);
    await stage.run();
  });

  test('leaves a failed file alone while it is unchanged, and takes it when it was rewritten', async () => {
    await stage.put('input/inbox/broken.xml', 'This is no XML.');
    await stage.scan('inbox');
    await stage.run();
    const failed = await stage.jobOf('broken.xml');
    expect(failed.state).toBe('Failed');
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ enqueued: 0, alreadyActive: 1 });
    // The same bytes again are the same file.
    await stage.put('input/inbox/broken.xml', 'This is no XML.');
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ enqueued: 0 });
    await stage.put('input/inbox/broken.xml', '<this-is>XML</this-is>');
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ enqueued: 1 });
    await stage.run();
    expect((await stage.jobOf('broken.xml')).state).toBe('Completed');
  });

  test('that meets another one makes one job of each file', async () => {
    for (let n = 0; n < 20; n++) await stage.put(`input/inbox/meet-${n}.txt`, `File ${n}.`);
    const both = await Promise.all([stage.scan('inbox'), stage.scan('inbox')]);
    expect(both.reduce((sum, [page]) => sum + (page?.enqueued ?? 0), 0)).toBe(20);
    const made = (await stage.jobs()).filter(({ fileName }) => fileName.startsWith('meet-'));
    expect(new Set(made.map(({ fileName }) => fileName)).size).toBe(20);
    expect(made).toHaveLength(20);
    await stage.run();
  });

  test('counts a file that cannot be taken as an error, and takes the others', async () => {
    await stage.put(`input/inbox/${'long '.repeat(170)}.txt`, 'Its path has more than 850 characters.');
    await stage.put('input/inbox/short.txt', 'A short one.');
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ enqueued: 1, errors: 1 });
    await files('batch').remove(`input/inbox/${'long '.repeat(170)}.txt`);
    await stage.run();
  });

  // With .lease, the key of the second has more than the 1,024 bytes of S3.
  test.each([
    ['inbox', 'a\\b.bin', /its name cannot be used/],
    ['inbox', `${'é'.repeat(502)}.bin`, /its name cannot be used/],
    ['parceiro', 'a\\b.bin', /its name cannot be used/],
    ['inbox', `${'long '.repeat(170)}.bin`, /its path is too long/],
  ])(
    'of %s logs the files with names like %s once, counted, and makes no jobs',
    async (name, end, message) => {
      const { share } = requireFolder(name);
      const prefix = share === null ? 'input/inbox/' : 'entrada/';
      const keys = [`${prefix}${end}`, `${prefix}2${end}`.slice(0, -1)];
      const { name: Bucket, client } = share === null ? ownBucket('batch') : stage.shareBucket;
      for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'content' }));
      const { result, lines } = await logOf(() => stage.scan(name));
      for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket, Key }));
      expect(countsOf(result)).toMatchObject({ scanned: 2, enqueued: 0, errors: 2 });
      expect(lines.filter(({ level }) => level !== 'INFO')).toEqual([
        expect.objectContaining({
          ...{ level: 'WARN', message: expect.stringMatching(message) },
          ...{ folder: name, file: expect.stringContaining(prefix), files: 2 },
        }),
      ]);
    },
  );

  test('ignores the files of a disabled profile, and those of one that takes none are errors', async () => {
    await stage.put('input/off/waits.txt', 'It waits.');
    await stage.profile({ name: 'off', enabled: false });
    expect(countsOf(await stage.scan('off'))).toMatchObject({ scanned: 1, ignored: 1, errors: 0 });
    const profile = await readProfile('off');
    if (!profile) throw new Error('There is no profile.');
    const { default: _, ...stored } = profile;
    await profiles.put({ ...stored, enabled: true, method: 'SignerFolder' });
    expect(countsOf(await stage.scan('off'))).toMatchObject({ scanned: 1, ignored: 0, errors: 1 });
    await profiles.put({ ...stored, enabled: true, method: 'Local' });
    expect(countsOf(await stage.scan('off'))).toMatchObject({ enqueued: 1 });
    await stage.run();
  });
});

describe('a folder of 2,500 files', () => {
  const MANY = 2_500;
  const TAKEN = 3;

  test('is scanned page by page, and a scan that is out of time goes on where it stopped', async () => {
    for (let from = 0; from < MANY; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, n) => stage.put(`input/many/f-${from + n}.tmp`, 'x')),
      );
    for (let n = 0; n < TAKEN; n++) await stage.put(`input/many/z-${n}.txt`, `File ${n}.`);
    const pages = await stage.scan('many');
    expect(pages.map(({ scanned }) => scanned)).toEqual([1_000, 1_000, 503]);
    expect(pages.map(({ isDone }) => isDone)).toEqual([false, false, true]);
    expect(pages.at(-1)).toMatchObject({ enqueued: TAKEN, enqueuedFiles: ['z-0.txt', 'z-1.txt', 'z-2.txt'] });

    const [first, ...others] = await stage.scan('many', { hasTime: () => false });
    expect([first?.isDone, others]).toEqual([false, []]);
    const rest = await stage.scan('many', {}, { cursor: first?.cursor ?? '' });
    expect(rest.map(({ scanned }) => scanned)).toEqual([1_000, 503]);
    await stage.run();
  });

  test('stops within a page when it is out of time, and begins that page again', async () => {
    for (let n = 0; n < 30; n++) await stage.put(`input/inbox/part-${n}.txt`, `File ${n}.`);
    let asked = 0;
    const [page] = await stage.scan('inbox', { hasTime: () => ++asked <= 10 });
    expect(page).toMatchObject({ enqueued: 10, isDone: false, cursor: undefined });
    expect(countsOf(await stage.scan('inbox'))).toMatchObject({ enqueued: 20, alreadyActive: 10 });
    await stage.run();
  });
});

describe('a file on a share', () => {
  test('becomes a job when three samples, 500 ms apart, are equal', async () => {
    await stage.putOnShare('entrada/nota.txt', 'A note.');
    const pauses: number[] = [];
    const [page] = await stage.scan('parceiro', { pause: async (ms) => pauses.push(ms) });
    expect(page).toMatchObject({ enqueued: 1, enqueuedFiles: ['nota.txt'] });
    expect(pauses).toEqual([500, 500]);
    await stage.run();
    expect(await stage.jobOf('nota.txt')).toMatchObject({
      state: 'Completed',
      originalPath: 'share:acme/entrada/nota.txt',
      inputShare: 'acme',
    });
    expect(await stage.share.head('entrada/nota.txt')).toBeUndefined();
  });

  test('that is written meanwhile becomes one job, of what it is in the end', async () => {
    await stage.putOnShare('entrada/written.txt', '1');
    let writes = 1;
    const pause = async () => {
      if (writes < 4) await stage.putOnShare('entrada/written.txt', '1'.repeat(++writes));
    };
    expect(countsOf(await stage.scan('parceiro', { pause }))).toMatchObject({ enqueued: 1 });
    await stage.run();
    expect((await stage.jobOf('written.txt')).staged?.length).toBe(4);
  });

  test('that still changes after 60 s is left for the next scan', async () => {
    await stage.putOnShare('entrada/growing.txt', '1');
    let nowMs = Date.now();
    const startedAtMs = nowMs;
    const pause = async (ms: number) => {
      nowMs += ms;
      await stage.putOnShare('entrada/growing.txt', String(nowMs));
    };
    const pages = await stage.scan('parceiro', { pause, now: () => nowMs });
    expect(countsOf(pages)).toMatchObject({ scanned: 1, enqueued: 0, ignored: 1 });
    expect(nowMs - startedAtMs).toBe(60_000);
    expect(countsOf(await stage.scan('parceiro'))).toMatchObject({ enqueued: 1 });
    await stage.run();
  });

  test('that goes away meanwhile is no file', async () => {
    await stage.putOnShare('entrada/moved.txt', 'Renamed soon.');
    const pause = () => stage.share.remove('entrada/moved.txt');
    expect(countsOf(await stage.scan('parceiro', { pause }))).toMatchObject({ scanned: 0, errors: 0 });
  });

  test('is one of eight that are watched at once', async () => {
    for (let n = 0; n < 20; n++) await stage.putOnShare(`slow/s-${n}.txt`, `File ${n}.`);
    const held: (() => void)[] = [];
    let isHeld = true;
    const pause = () => new Promise<void>((resolve) => (isHeld ? held.push(resolve) : resolve()));
    const scan = stage.scan('slow', { pause });
    await expect.poll(() => held).toHaveLength(8);
    // A ninth would come in the time of these.
    for (let n = 0; n < 10; n++) await stage.share.head('slow/s-0.txt');
    expect(held).toHaveLength(8);
    isHeld = false;
    for (const release of held) release();
    expect(countsOf(await scan)).toMatchObject({ enqueued: 20 });
    await stage.run();
  });

  test('that was modified last is watched last: it may still be written', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await stage.putOnShare('entrada/z-older.txt', 'Older.');
    vi.setSystemTime(Date.now() + 60_000);
    await stage.putOnShare('entrada/a-newer.txt', 'Newer.');
    vi.useRealTimers();
    let asked = 0;
    // Time for the first file: a look before it, and one before each of its samples. The third is before the other file.
    const hasTime = () => ++asked !== 3;
    const [page] = await stage.scan('parceiro', { hasTime });
    expect(page).toMatchObject({ enqueuedFiles: ['z-older.txt'], isDone: false });
    await stage.scan('parceiro');
    await stage.run();
  });

  test('is left to the next part of the scan when there is no time to watch it', async () => {
    await stage.putOnShare('entrada/late.txt', 'Late.');
    let isOut = false;
    const pause = async () => {
      isOut = true;
    };
    const [page] = await stage.scan('parceiro', { pause, hasTime: () => !isOut });
    expect(page).toMatchObject({ scanned: 0, enqueued: 0, isDone: false });
    expect(countsOf(await stage.scan('parceiro'))).toMatchObject({ enqueued: 1 });
    await stage.run();
  });
});

test('takeFile and a scan at the same moment make one job', async () => {
  await stage.put('input/inbox/notified.txt', 'Notified and found.');
  const info = await files('batch').head('input/inbox/notified.txt');
  const profile = await readProfile('default');
  if (!info || !profile) throw new Error('There is no file or no profile.');
  const file = { key: 'input/inbox/notified.txt', ...info, seenAtMs: Date.now() };
  const folder = requireFolder('inbox');
  const [taking, [page]] = await Promise.all([
    takeFile({ folder, profile, store: files('batch'), file, logger: stage.scanner.logger }, Date.now()),
    stage.scan('inbox'),
  ]);
  expect((taking === 'enqueued' ? 1 : 0) + (page?.enqueued ?? 0)).toBe(1);
  await stage.run();
});
