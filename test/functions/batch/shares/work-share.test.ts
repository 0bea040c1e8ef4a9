import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import { handler as getOutput } from '../../../../functions/batch/jobs/endpoints/get-job-output.ts';
import { handler as tick } from '../../../../functions/batch/pipeline/workers/tick.ts';
import { settings } from '../../../../functions/batch/settings.ts';
import { removeShare } from '../../../../functions/batch/storage/domain/change-share.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { files } from '../../../../shared/files/files.ts';
import { MANUAL } from '../../../../shared/settings/settings.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { shareStage } from './share-stage.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
const MARKER = '.sinete-owner';

beforeEach(async () => {
  await stage.server.misbehave();
  dropAllCached();
});

const work = () => stage.server.at('trabalho');
const keysOf = async (prefix: string) => (await work().list(prefix)).files.map(({ key }) => key);
const marker = async () => JSON.parse((await work().read(MARKER, 4_096))?.toString() ?? 'null');
const write = (content: string) =>
  work().put(MARKER, Buffer.from(content), { contentType: 'application/json' });
const ANOTHER = { installation: 'another', instance: 'norte', claimedAt: '2026-11-16T06:00:00.000Z' };

/** The checks of the work share, and whether the service is ready. */
async function readiness() {
  const { status, json } = await call(getDetails, { headers });
  const { ready, checks } = json() as {
    ready: boolean;
    checks: { name: string; ok: boolean; detail: string }[];
  };
  expect(status).toBe(ready ? 200 : 503);
  const [, share, owner] = checks;
  return { ready, share, owner };
}

const stage = await forFile(shareStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
// The tick warns of every work share that is not usable.
vi.stubEnv('Log__Level', 'ERROR');
vi.stubEnv('Storage__Work', 'share:acme/trabalho');

describe('the marker of a work share', () => {
  test('is claimed by the tick, tells who holds it, and stays across restarts', async () => {
    await tick({}, undefined as never);
    const claimed = await marker();
    expect(claimed).toEqual({
      installation: expect.stringMatching(/^[0-9a-f-]{36}$/),
      instance: 'main',
      claimedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    dropAllCached();
    vi.stubEnv('Cluster__InstanceName', 'second');
    await tick({}, undefined as never);
    vi.stubEnv('Cluster__InstanceName', 'main');
    expect(await marker()).toEqual(claimed);
  });

  test('is read once a minute by one process', async () => {
    await stage.run();
    await stage.server.requests();
    await tick({}, undefined as never);
    await stage.run();
    await stage.run();
    expect(await stage.server.requests()).toEqual([]);
  });
});

describe('a work share', () => {
  test('has the outputs, which are downloaded from there', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.scan();
    await stage.run();
    const [job] = await stage.jobsOf(name);
    expect(job).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await keysOf('output/')).toEqual([`output/${job?.outputName}`]);
    expect(await keysOf('processing/')).toEqual([]);
    expect((await files('batch').list('')).files).toEqual([]);
    const { status, bytes } = await call(getOutput, { params: { id: job?.id ?? '' }, headers });
    expect(status).toBe(200);
    expect(bytes).toEqual(await work().read(`output/${job?.outputName}`, 1_000_000));
    expect(await stage.contentOf(name)).toBeUndefined();
  });

  test('has the copies of failed jobs in error/', async () => {
    await stage.profile({ name: 'broken', checkCnab240: true });
    const job = await stage.upload('no-remittance.rem', 'not one', { profile: 'broken' });
    await stage.run();
    expect(await stage.job(job.id)).toMatchObject({ state: 'Failed', errorCode: 'cnab240.invalid' });
    expect(await keysOf('error/')).toEqual([`error/${job.id}/no-remittance.rem`]);
    expect(await keysOf('processing/')).toEqual([]);
  });

  test('has no copy of an upload that was replaced after its job was created: it is not signed', async () => {
    const { id, inputKey } = await stage.upload('replaced.bin', 'version 1');
    const replaced = { contentType: 'application/octet-stream' };
    await files('batch').put(inputKey ?? '', Buffer.from('version 2'), replaced);
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state: 'Failed', errorCode: 'job.input-changed' });
    expect(await keysOf('processing/')).toEqual([]);
    expect(await keysOf('output/replaced')).toEqual([]);
  });

  test('that fails at the output fails the job, and the input stays', async () => {
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.scan();
    await stage.server.misbehave({
      method: 'PUT',
      path: '/output/',
      does: { answer: 500, code: 'InternalError' },
    });
    await stage.run();
    const [job] = await stage.jobsOf(name);
    expect(job).toMatchObject({ state: 'Failed', errorCode: 'job.signing-failed' });
    expect(job?.errorMessage).toContain('The share acme answers 500');
    expect(await stage.contentOf(name)).toBe('a contract');
    await stage.inbox.remove(name);
  });

  test('is in readiness by its host and bucket, with its owner', async () => {
    const { host } = new URL(stage.server.endpoint);
    expect(await readiness()).toEqual({
      ready: true,
      share: { name: `storage-share:${host}/entrada`, ok: true, detail: 'The share answers.' },
      owner: {
        name: 'work-share-owner',
        ok: true,
        detail: expect.stringContaining('This installation holds it'),
      },
    });
    const { json, text } = await call(getReady);
    expect(json()).toEqual({
      ready: true,
      checks: expect.arrayContaining([{ name: 'work-share-owner', ok: true }]),
    });
    expect(text).not.toContain('detail');
  });

  test('cannot hold an input folder in one of its own', () => {
    vi.stubEnv('Storage__Inputs', 'a=share:acme/trabalho/output');
    expect(() => settings[MANUAL].check()).toThrow(
      'must keep the folder a out of processing/, output/ and error/',
    );
    vi.stubEnv('Storage__Inputs', 'a=share:acme/trabalho/entrada,b=share:other/trabalho/output');
    expect(() => settings[MANUAL].check()).not.toThrow();
    vi.stubEnv('Storage__Inputs', 'parceiro=share:acme/entrada');
  });
});

describe('a work share of another installation', () => {
  const leave = async () => {
    await work().remove(MARKER);
    dropAllCached();
  };

  test.each([
    [
      'its marker',
      JSON.stringify(ANOTHER),
      /is of another installation: its instance norte claimed it at 2026-11-16T06/,
    ],
    ['a marker that cannot be read', 'not a marker', /is no marker that can be read\. Remove it/],
    ['a marker that is too long', ' '.repeat(5_000), /is no marker that can be read\. Remove it/],
  ])('%s stays, no job is claimed and nothing is read or written there', async (_, content, sentence) => {
    const done = await stage.upload(stage.newName(), 'signed before');
    await stage.run();
    await write(content);
    dropAllCached();
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.scan();
    await stage.server.requests();
    expect(await stage.run()).toMatchObject({ taken: 0 });
    await tick({}, undefined as never);
    const [waiting] = await stage.jobsOf(name);
    expect(waiting?.state).toBe('Queued');
    const requests = await stage.server.requests();
    expect(requests.filter((each) => each !== `GET /entrada/trabalho/${MARKER}`)).toEqual([]);

    const { ready, share, owner } = await readiness();
    expect([ready, share?.ok, owner?.ok]).toEqual([false, true, false]);
    expect(owner?.detail).toMatch(sentence);
    expect((await work().read(MARKER, 10_000))?.toString()).toBe(content);
    expect((await call(getOutput, { params: { id: done.id }, headers })).status).toBe(503);

    await leave();
    await stage.run();
    expect((await stage.jobsOf(name))[0]).toMatchObject({ state: 'Completed', errorCode: null });
    expect((await readiness()).ready).toBe(true);
  });
});

describe('a work share that cannot be claimed', () => {
  test.each([
    [
      'does not let the key write',
      { answer: 403, code: 'AccessDenied' },
      'PUT',
      /could not be claimed\. .*AccessDenied/,
    ],
    ['answers 500', { answer: 500, code: 'InternalError' }, 'GET', /could not be claimed\. .*answers 500/],
    ['hangs', 'hang', 'GET', /could not be claimed\. .*not reachable/],
  ] as const)('because it %s: jobs wait, and readiness says so', async (_, does, method, sentence) => {
    await work().remove(MARKER);
    const name = stage.newName();
    await stage.drop(name, 'a contract');
    await stage.scan();
    await stage.server.misbehave({ method, path: `${MARKER}$`, does });
    const look = async () => ({ ...(await stage.run()), ...(await readiness()) });
    const { taken, ready, owner } = await (does === 'hang' ? stage.impatiently(look) : look());
    expect(taken).toBe(0);
    expect([ready, owner?.ok]).toEqual([false, false]);
    expect(owner?.detail).toMatch(sentence);
    await stage.server.misbehave();
    await stage.run();
    expect((await stage.jobsOf(name))[0]).toMatchObject({ state: 'Completed' });
  });

  test('because it was removed: readiness names it', async () => {
    await removeShare('acme', { force: true });
    const { ready, share, owner } = await readiness();
    expect([ready, share?.name, share?.ok, owner?.ok]).toEqual([false, 'storage-share:acme', false, false]);
    expect(share?.detail).toContain('There is no share acme. Add it');
    await stage.server.share('acme');
    expect((await readiness()).ready).toBe(true);
  });
});
