import { readFileSync } from 'node:fs';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setEnabled } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { recentReadiness } from '../../../../functions/compact/domain/readiness.ts';
import { handler as getReady } from '../../../../functions/compact/endpoints/get-ready.ts';
import { s3 } from '../../../../shared/files/client.ts';
import { files } from '../../../../shared/files/files.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { ring } from '../../../certificates/rings.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask } from '../../batch/jobs/operator.ts';
import { batchStage, HOLDER } from '../../batch/stage.ts';

const stage = await forFile(batchStage());

// Each test begins an hour after the one before, where no earlier verdict is kept.
let now = Date.now();
beforeEach(() => {
  now += 3_600_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
});
let mocked: { restore(): void } | undefined;
afterEach(() => {
  mocked?.restore();
  vi.useRealTimers();
  for (const name of ['Compact__Profile', 'Signing__TimestampAuthorities']) vi.stubEnv(name, undefined);
});

const FOLDERS = ['input', 'processing', 'output', 'error'].map((folder) => `folder-write:${folder}`);
const failing = async () => {
  const { ready, checks } = await recentReadiness(() => now);
  const red = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(ready).toBe(red.length === 0);
  return red;
};
const checked = async () => (await recentReadiness(() => now)).checks.map(({ name }) => name);

describe('the readiness of the compact surface', () => {
  test('names each check without its detail, to anyone', async () => {
    const { status, json } = await ask(getReady, { headers: {} });
    const names = ['database', ...FOLDERS, 'signing-certificate'];
    expect([status, json()]).toEqual([
      200,
      { ready: true, checks: names.map((name) => ({ name, ok: true })) },
    ]);
  });

  test('leaves no probe behind', async () => {
    expect(await failing()).toEqual([]);
    expect((await files('batch').list('')).files).toEqual([]);
  });

  test('is checked once for all probes of five seconds, also for those that come at once', async () => {
    const probes = () =>
      Promise.all([0, 0, 1, 2_500, 4_999].map((afterMs) => recentReadiness(() => now + afterMs)));
    const { byCommand } = await countCalls(probes);
    expect(byCommand).toMatchObject({ PutObject: 4, DeleteObject: 4 });
    expect((await countCalls(probes)).total).toBe(0);
    const { byCommand: next } = await countCalls(() => recentReadiness(() => now + 5_000));
    expect(next).toMatchObject({ PutObject: 3, DeleteObject: 3 });
  });

  test('is one check for callers that come while it is slow, and its age counts from its end', async () => {
    let at = now;
    const store = mockClient(s3());
    mocked = store;
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    store.on(DeleteObjectCommand).resolves({});
    store.on(PutObjectCommand).callsFake(async () => {
      await answered;
      return { ETag: '"1"' };
    });
    const first = recentReadiness(() => at);
    at += 20_000;
    const second = recentReadiness(() => at);
    answer();
    expect(await second).toBe(await first);
    at += 4_999;
    expect(await recentReadiness(() => at)).toBe(await first);
    expect(store.commandCalls(PutObjectCommand).length).toBe(4);
    at += 1;
    expect(await recentReadiness(() => at)).not.toBe(await first);
  });

  test('writes to input/ once a minute while that succeeds, and at every check while it fails', async () => {
    const store = mockClient(s3());
    mocked = store;
    store.on(DeleteObjectCommand).resolves({}).on(PutObjectCommand).resolves({ ETag: '"1"' });
    const written = () =>
      store.commandCalls(PutObjectCommand).filter(({ args }) => args[0].input.Key?.startsWith('input/'))
        .length;
    const writtenAfter = async (ms: number) => {
      await recentReadiness(() => now + ms);
      return written();
    };
    expect([
      await writtenAfter(0),
      await writtenAfter(5_000),
      await writtenAfter(59_999),
      await writtenAfter(65_000),
    ]).toEqual([1, 1, 1, 2]);
    store.on(PutObjectCommand).rejects(new Error('AccessDenied'));
    expect([await writtenAfter(125_000), await writtenAfter(130_000)]).toEqual([3, 4]);
    expect((await recentReadiness(() => now + 130_000)).ready).toBe(false);
  });

  test('keeps a red verdict as long as a green one, and no longer', async () => {
    const store = mockClient(dynamo());
    mocked = store;
    store.on(GetItemCommand).rejects(new Error('no answer from 10.1.2.3'));
    expect((await recentReadiness(() => now)).ready).toBe(false);
    store.restore();
    expect((await recentReadiness(() => now + 4_999)).ready).toBe(false);
    expect((await recentReadiness(() => now + 5_000)).ready).toBe(true);
  });

  test.each([
    ['sinete-local-batch', 'has the jobs'],
    ['sinete-local-compact', 'has the rate windows'],
  ])('fails by the database when %s, which %s, does not answer', async (TableName) => {
    const store = mockClient(dynamo());
    mocked = store;
    store.on(GetItemCommand).resolves({}).on(GetItemCommand, { TableName }).rejects(new Error('no answer'));
    expect(await failing()).toEqual(['database']);
  });

  test('answers 503 with the checks that fail when nothing can be written or deleted', async () => {
    const store = mockClient(s3());
    mocked = store;
    store.on(PutObjectCommand).rejects(new Error('AccessDenied'));
    const { status, json, text } = await ask(getReady);
    expect(status).toBe(503);
    expect((json() as { checks: { name: string; ok: boolean }[] }).checks.filter(({ ok }) => !ok)).toEqual(
      FOLDERS.map((name) => ({ name, ok: false })),
    );
    expect(text).not.toContain('AccessDenied');
    now += 60_000;
    store.reset();
    store.on(PutObjectCommand).resolves({}).on(DeleteObjectCommand).rejects(new Error('AccessDenied'));
    expect(await failing()).toEqual(FOLDERS);
  });
});

describe('the certificate that signs', () => {
  test('is that of Compact:Profile: without such a profile, or with one that has no key, it fails', async () => {
    vi.stubEnv('Compact__Profile', 'nobody');
    expect(await failing()).toEqual(['signing-certificate']);
    now += 60_000;
    await stage.profile({ name: 'broken' });
    vi.stubEnv('Compact__Profile', 'broken');
    const { Sealing__Keys: right } = process.env;
    vi.stubEnv('Sealing__Keys', ring(9));
    expect(await failing()).toEqual(['signing-certificate']);
    vi.stubEnv('Sealing__Keys', right);
    now += 60_000;
    expect(await failing()).toEqual([]);
  });

  test('fails when it has expired', async () => {
    await stage.profile({ name: 'expired' }, '12345678909');
    vi.stubEnv('Compact__Profile', 'expired');
    expect(await failing()).toEqual(['signing-certificate']);
  });

  test('of a disabled profile is checked all the same', async () => {
    await stage.profile({ name: 'resting' });
    await setEnabled('test', 'resting', false, Date.now());
    vi.stubEnv('Compact__Profile', 'resting');
    expect(await failing()).toEqual([]);
  });
});

describe('the timestamp authority', () => {
  test('is checked for a profile with timestamps, and not asked for one', async () => {
    await stage.profile({ name: 'stamped', timestamp: true });
    vi.stubEnv('Compact__Profile', 'stamped');
    expect(await failing()).toEqual(['timestamp-authority']);
    now += 60_000;
    const url = `${stage.sandbox.url}/sandbox/pki/timestamp`;
    vi.stubEnv('Signing__TimestampAuthorities', `http://127.0.0.1:1/down,${url}`);
    expect(await failing()).toEqual([]);
    now += 60_000;
    vi.stubEnv('Signing__TimestampAuthorities', 'http://127.0.0.1:1/down');
    expect(await failing()).toEqual(['timestamp-authority']);
  });
});

test('the encryption certificate is checked where outputs are encrypted for one, and not where they are with a password', async () => {
  const { entries } = await openPkcs12(readFileSync(stage.sandbox.pki('holders', `${HOLDER}.p12`)), '1234');
  const [{ certificate } = { certificate: undefined }] = entries;
  const pem = writePem('CERTIFICATE', certificate?.der ?? Buffer.alloc(0));
  await stage.profile({ name: 'sealed', encryption: { certificate: pem } });
  vi.stubEnv('Compact__Profile', 'sealed');
  expect(await checked()).toContain('encryption-certificate');
  now += 60_000;
  expect(await failing()).toEqual([]);
  const before = now;
  now = (certificate?.notAfterMs ?? 0) + 1_000;
  expect(await failing()).toEqual(['signing-certificate', 'encryption-certificate']);
  now = before + 120_000;
  const salt = Buffer.alloc(16, 5).toString('base64');
  await stage.profile({ name: 'secret', encryption: { password: 'a-long-password', salt } });
  vi.stubEnv('Compact__Profile', 'secret');
  expect(await checked()).not.toContain('encryption-certificate');
});
