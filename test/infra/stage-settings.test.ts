import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { whyNotReservable } from '../../infra/plugins/deployable.ts';
import { sampleRepository, writeStageSettings } from './sample-repository.ts';
import { FRAMEWORK, run, SAMPLE } from './sample-service.ts';

let root: string;

beforeAll(async () => {
  root = await sampleRepository(SAMPLE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the framework, as a deploy runs it,', () => {
  const SLS_SCHEMA_CACHE_BASE_DIR = 'node_modules/.cache/sinete';
  const framework = (...args: string[]) =>
    run(FRAMEWORK, args, { cwd: root, env: { ...process.env, SLS_SCHEMA_CACHE_BASE_DIR } });

  test('will not package a wrong setting, nor a name that is no setting', async () => {
    const file = join(root, 'settings.trial.yml');
    const packaging = ['package', '--stage', 'trial', '--param', 'service=session'];
    await writeFile(file, 'Log__Level: LOUD\n');
    expect(await framework(...packaging)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Error:\nSetting Log:Level \(Log__Level\) .*"LOUD" is not\./),
    });
    await writeFile(file, 'Log__Levle: WARN\n');
    expect(await framework(...packaging)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The settings of stage trial name Log__Levle, which is no setting.'),
    });
  });

  test('will not package roots to trust that no function would have', async () => {
    const packaging = ['package', '--stage', 'roots', '--param', 'service=session'];
    const name = (files: string) =>
      writeFile(join(root, 'settings.roots.yml'), `session__Certificates__TrustAnchors: ${files}\n`);
    await mkdir(join(root, 'trust'), { recursive: true });
    await writeFile(join(root, 'trust/first.pem'), 'a root');
    await name('trust/first.pem, /home/me/second.pem');
    expect(await framework(...packaging)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('names the file /home/me/second.pem, which no function would have.'),
    });
    await name('trust/first.pem');
    expect((await framework(...packaging)).stdout).toContain('not built');
  });

  const trial = async (settings: Readonly<Record<string, unknown>>, ...more: string[]) => {
    await writeStageSettings(root, 'trial', settings);
    return framework('package', '--stage', 'trial', '--param', 'service=session', ...more);
  };
  const ROOTS = { Certificates__TrustAnchors: 'trust/roots.pem' };

  test('will not package without a setting that the service needs, wherever the shell has it', async () => {
    vi.stubEnv('Certificates__TrustAnchors', 'trust/roots.pem');
    const complaint =
      'Setting Certificates:TrustAnchors (Certificates__TrustAnchors) is not set: no certificate is trusted without roots.';
    expect(await trial({})).toMatchObject({ code: 1, stdout: expect.stringContaining(complaint) });
  });

  test('asks for nothing that another service needs, and takes an expression as set', async () => {
    const expression = { 'Fn::ImportValue': 'roots' };
    const settings = { Certificates__TrustAnchors: expression, Own__Key: expression };
    expect((await trial(settings)).stdout).toContain('not built');
  });

  test('will not package more settings than a function of Lambda holds', async () => {
    const text = `-----BEGIN CERTIFICATE-----${'x'.repeat(4_000)}`;
    expect(await trial({ Certificates__TrustAnchors: text })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^Error:\nThe settings of sessionGetThing take \d+ bytes, and Lambda holds 4096\. Put certificates into trust/m,
      ),
    });
  });

  test('will not reserve a concurrency of 0, which would stop the functions', async () => {
    expect(await trial(ROOTS, '--param', 'reservedConcurrency=0')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('must be a whole number from 1 to 9999; "0" is not.'),
    });
  });
});

test('a concurrency is reserved as a number, in a service with functions that take it', () => {
  const functions = { sessionSign: { handler: 'x', events: [], reservedConcurrency: 5 } };
  expect(whyNotReservable('5', functions)).toBeUndefined();
  expect(whyNotReservable('many', functions)).toMatch(/whole number/);
  expect(whyNotReservable('5', {})).toBe(
    'No function of this service takes reservedConcurrency. Leave it out.',
  );
  expect(whyNotReservable(undefined, {})).toBeUndefined();
});
