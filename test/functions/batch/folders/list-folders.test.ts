import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { checkBatchReadiness } from '../../../../functions/batch/domain/readiness.ts';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { listFolders } from '../../../../functions/batch/folders/domain/list-folders.ts';
import { handler as getFolders } from '../../../../functions/batch/folders/endpoints/list-folders.ts';
import { withDetails } from '../../../../functions/batch/operations/domain/readiness.ts';
import { removeProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { shares } from '../../../../functions/batch/storage/domain/share.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask } from '../jobs/operator.ts';
import { folderStage } from './folder-stage.ts';

const INPUTS = 'inbox=input/inbox,parceiro=share:acme/entrada,spare=input/spare';

const stage = await forFile(folderStage(INPUTS));
await stage.profile({ name: 'default', inputFolder: 'inbox' });
await stage.profile({ name: 'parceiro', inputFolder: 'parceiro' });
beforeEach(() => stage.addShare());

let laterMs = 0;
const later = () => {
  laterMs += 60_000;
  const atMs = Date.now() + laterMs;
  return { now: () => atMs };
};

type Folder = Awaited<ReturnType<typeof listFolders>>[number];
const list = async () => (await ask(getFolders)).json() as Folder[];
const folder = async (name: string) => (await list()).find((each) => each.name === name);

describe('GET /api/folders', () => {
  test('lists the folders as configured, each with the profile that selects it now, before any scan', async () => {
    const unscanned = {
      exists: true,
      lastError: null,
      instance: null,
      lastEnqueueAt: null,
      processedCount: 0,
      fileCount: 0,
    };
    expect(await list()).toEqual([
      { name: 'inbox', path: 'input/inbox', status: 'Running', profileName: 'default', ...unscanned },
      {
        name: 'parceiro',
        path: 'share:acme/entrada',
        status: 'Running',
        profileName: 'parceiro',
        ...unscanned,
      },
      { name: 'spare', path: 'input/spare', status: 'Unassigned', profileName: null, ...unscanned },
    ]);
  });

  test('says at once that a profile selects a folder, or no longer does, as readiness does', async () => {
    const both = async () => {
      const { checks } = withDetails(await checkBatchReadiness(Date.now()));
      const detail = checks.find(({ name }) => name === 'input-folder:spare')?.detail;
      return { ...(await folder('spare')), detail };
    };
    await stage.profile({ name: 'late', inputFolder: 'spare' });
    expect(await both()).toMatchObject({
      status: 'Running',
      profileName: 'late',
      detail: 'A profile signs its files, and no scan fails.',
    });
    await removeProfile('test', 'late', Date.now());
    expect(await both()).toMatchObject({
      status: 'Unassigned',
      profileName: null,
      detail: 'No profile signs its files. Nothing scans it without one.',
    });
  });

  test('counts the jobs and the files of each folder, and tells when a file became a job last', async () => {
    await stage.put('input/inbox/a.txt', 'A.');
    await stage.put('input/inbox/b.txt', 'B.');
    await stage.put('input/inbox/c.tmp', 'C.');
    expect(await folder('inbox')).toMatchObject({ fileCount: 2, processedCount: 0 });
    const { now } = later();
    await stage.watch('inbox', { now });
    expect(await folder('inbox')).toMatchObject({
      status: 'Running',
      profileName: 'default',
      instance: 'main',
      fileCount: 2,
      processedCount: 2,
      lastEnqueueAt: new Date(now()).toISOString(),
    });
    await stage.run();
    expect(await folder('inbox')).toMatchObject({ fileCount: 0, processedCount: 2 });
    expect(await folder('spare')).toMatchObject({ status: 'Unassigned', processedCount: 0 });
  });

  test('counts 50 files at most, and none that are ignored', async () => {
    for (let n = 0; n < 250; n++) await stage.put(`input/spare/a-${n}.tmp`, 'x');
    for (let n = 0; n < 49; n++) await stage.put(`input/spare/b-${n}.txt`, 'x');
    expect((await folder('spare'))?.fileCount).toBe(49);
    await stage.put('input/spare/b-49.txt', 'x');
    await stage.put('input/spare/b-50.txt', 'x');
    expect((await folder('spare'))?.fileCount).toBe(50);
  });

  test('shows a share that is not registered, with the reason, and the other folders as ever', async () => {
    await commit([shares.removing('acme')]);
    expect(await list()).toMatchObject([
      { name: 'inbox', exists: true, status: 'Running' },
      {
        name: 'parceiro',
        exists: false,
        fileCount: null,
        lastError: expect.stringContaining('There is no share acme'),
      },
      { name: 'spare', exists: true },
    ]);
  });

  test('waits for a share that hangs no longer than its time', async () => {
    const store = mockClient(s3());
    store.on(ListObjectsV2Command).callsFake(() => new Promise(() => undefined));
    const [found] = await listFolders(1);
    store.restore();
    expect(found).toMatchObject({
      exists: false,
      fileCount: null,
      lastError: "The service's bucket does not answer.",
    });
  });

  test('shows why the last scan failed until one succeeds', async () => {
    await stage.addShare({ bucket: 'no-such-bucket' });
    await stage.watch('parceiro', later());
    await stage.addShare();
    expect(await folder('parceiro')).toMatchObject({
      exists: true,
      status: 'Stopped',
      lastError: expect.stringContaining('The share acme has no such bucket.'),
    });
    await stage.watch('parceiro', later());
    expect(await folder('parceiro')).toMatchObject({ status: 'Running', lastError: null });
  });
});

describe('readiness', () => {
  const checks = async () => {
    const { ready, checks: all } = await checkBatchReadiness(Date.now());
    const found = all.filter(({ name }) => name.includes('input-folder:'));
    return { ready, checks: found.map(({ name, ok }) => [name, ok]) };
  };
  const all = (inbox: boolean, parceiro: boolean) => [
    ['input-folder:inbox', inbox],
    ['input-folder:parceiro', parceiro],
    ['input-folder:spare', true],
  ];

  test('has a check for each folder; Running and Unassigned are ok', async () => {
    await stage.watch('inbox', later());
    await stage.watch('parceiro', later());
    expect(await checks()).toEqual({ ready: true, checks: all(true, true) });
  });

  test('fails while a folder is Stopped, with its error among the details only', async () => {
    await stage.addShare({ bucket: 'no-such-bucket' });
    await stage.watch('parceiro', later());
    expect(await checks()).toEqual({ ready: false, checks: all(true, false) });
    const { checks: details } = await checkBatchReadiness(Date.now());
    expect(details.find(({ name }) => name === 'input-folder:parceiro')?.detail).toMatch(
      /has no such bucket/,
    );
    const open = await ask(getReady, { headers: {} });
    expect([open.status, open.text.includes('no such bucket')]).toEqual([503, false]);
    await stage.addShare();
    await stage.watch('parceiro', later());
    expect(await checks()).toEqual({ ready: true, checks: all(true, true) });
  });

  test('fails while the share of a folder is not registered', async () => {
    await commit([shares.removing('acme')]);
    expect(await checks()).toEqual({ ready: false, checks: all(true, false) });
  });

  test('shows a profile whose folder is not configured in red, and does not count it', async () => {
    await stage.profile({ name: 'elsewhere', inputFolder: 'nowhere' });
    expect(await checks()).toEqual({
      ready: true,
      checks: [...all(true, true), ['profile-input-folder:elsewhere', false]],
    });
    await removeProfile('test', 'elsewhere', Date.now());
  });

  test('reads the folders once for all who ask, with a query and a read of the shares', async () => {
    vi.stubEnv('Access__CacheSeconds', '60');
    const first = await countCalls(() => checkBatchReadiness(Date.now()));
    // The probe, the folders with their shares, the profiles with the default one, the signer's two records, and the row
    // of this instance.
    expect(first.byCommand).toEqual({ GetItem: 3, Query: 2, BatchGetItem: 2 });
    const second = await countCalls(() => checkBatchReadiness(Date.now()));
    expect(second.byCommand).toEqual({ GetItem: 1 });
    vi.stubEnv('Access__CacheSeconds', '0');
  });
});
