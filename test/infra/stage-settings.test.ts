import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireEngineStack, whyNotAlike } from '../../infra/plugins/beside.ts';
import { whyNotReservable } from '../../infra/plugins/deployable.ts';
import type { Framework } from '../../infra/plugins/framework.ts';
import { manualsOf, variablesOf } from '../../infra/settings.ts';
import { sampleRepository, writeStageSettings } from './sample-repository.ts';
import { FRAMEWORK, run, SAMPLE, SCHEMA_CACHE } from './sample-service.ts';

let root: string;

beforeAll(async () => {
  root = await sampleRepository(SAMPLE);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the framework, as a deploy runs it,', () => {
  const framework = (...args: string[]) =>
    run(FRAMEWORK, args, { cwd: root, env: { ...process.env, ...SCHEMA_CACHE } });

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

describe('compact, which works on the stores of batch,', () => {
  const beside = async (
    own: Readonly<Record<string, unknown>>,
    ofBatch: Readonly<Record<string, unknown>>,
  ) => {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-beside-'));
    await writeFile(join(folder, 'settings.prod.compact.yml'), JSON.stringify(own));
    await writeFile(join(folder, 'settings.prod.yml'), JSON.stringify(ofBatch));
    const why = whyNotAlike(folder, { stage: 'prod', service: 'compact' }, await manualsOf('compact'));
    await rm(folder, { recursive: true });
    return why;
  };

  test('is checked with the settings of batch that their domain reads, and with no other of batch', async () => {
    const variables = variablesOf(await manualsOf('compact'));
    for (const name of ['Profiles__SealingKey', 'batch__Storage__Inputs', 'compact__Auth__ApiKey'])
      expect([name, variables.has(name)]).toEqual([name, true]);
    for (const name of ['batch__Auth__ApiKey', 'Auth__CookieName', 'batch__RateLimiting__Upload__Window'])
      expect([name, variables.has(name)]).toEqual([name, false]);
  });

  test('is not packaged with another key than batch, however each file names it', async () => {
    const key = { Profiles__SealingKey: `\${ssm:/sinete/prod/profiles-key}` };
    expect(await beside(key, { batch__Profiles__SealingKey: key.Profiles__SealingKey })).toBeUndefined();
    expect(await beside(key, { Profiles__SealingKey: `\${ssm:/sinete/prod/other-key}` })).toBe(
      'settings.prod.compact.yml and settings.prod.yml differ in Profiles__SealingKey. compact works on the stores of batch: both must set it alike.',
    );
    expect(await beside(key, {})).toMatch(/differ in Profiles__SealingKey/);
  });

  test('keeps its own settings, and may differ from batch in them', async () => {
    const own = { Auth__ApiKey: 'a-key-of-compact-alone', Pipeline__RejectAlreadyProcessedFileNames: true };
    expect(await beside(own, { Auth__ApiKey: 'another-key-of-batch' })).toBeUndefined();
  });

  const deploying = (service: string, request: () => Promise<unknown>) =>
    requireEngineStack({
      service: {
        functions: { [`${service}GetJob`]: { handler: `dist/${service}/get-job.handler`, events: [] } },
        provider: { stage: 'prod' },
      },
      getProvider: () => ({ request }),
    } as unknown as Framework);

  test('is not deployed alone: the deploy says so in one line', async () => {
    const missing = async () => {
      throw new Error('Stack with id sinete-prod-batch does not exist');
    };
    await expect(deploying('compact', missing)).rejects.toThrow(
      'compact works on the table, bucket and queues of batch, and stage prod has no stack sinete-prod-batch. Deploy batch first: --param="service=batch".',
    );
    await expect(deploying('hub', missing)).resolves.toBeUndefined();
  });

  test('is deployed beside batch, and a call of AWS that fails otherwise is told as it is', async () => {
    const asked: unknown[] = [];
    await deploying('compact', async (...call: unknown[]) => asked.push(call));
    expect(asked).toEqual([['CloudFormation', 'describeStacks', { StackName: 'sinete-prod-batch' }]]);
    const refused = async () => {
      throw new Error('The security token included in the request is expired');
    };
    await expect(deploying('compact', refused)).rejects.toThrow(/token .* is expired/);
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
