import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireEngineStack, whyNotAlike } from '../../../infra/plugins/beside.ts';
import { whyNotReservable } from '../../../infra/plugins/deployable.ts';
import type { Framework } from '../../../infra/plugins/framework.ts';
import { applyStageSettings } from '../../../infra/plugins/settings.ts';
import { manualsOf, variablesOf } from '../../../infra/settings.ts';
import { STAGE_SETTINGS, sampleRepository, writeStageSettings } from '../sample-repository.ts';
import { FRAMEWORK, prepare, run, SAMPLE, SCHEMA_CACHE } from '../sample-service.ts';

let root: string;
const before = { ...process.env };

beforeAll(async () => {
  root = await sampleRepository(SAMPLE);
  await writeStageSettings(root, 'trial');
});
afterEach(() => {
  // The check makes this process see the settings of the stage alone.
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('the framework, as a deploy runs it, will not package a wrong setting', async () => {
  await writeStageSettings(root, 'trial', { Sealing__Keys: 'ssm:/sealing-keys', Log__Level: 'LOUD' });
  const packaging = ['package', '--stage', 'trial', '--param', 'service=session'];
  const ended = await run(FRAMEWORK, packaging, { cwd: root, env: { ...process.env, ...SCHEMA_CACHE } });
  expect(ended).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Error:\nSetting Log:Level \(Log__Level\) .*"LOUD" is not\./),
  });
});

test('nor more settings than a function of Lambda holds', async () => {
  const { TZ: _, ...settings } = STAGE_SETTINGS;
  const Certificates__TrustAnchors = `-----BEGIN CERTIFICATE-----${'x'.repeat(4_000)}`;
  const environment = { ...settings, Certificates__TrustAnchors };
  const packaging = prepare(root, { stage: 'trial', params: ['service=session'], environment });
  await expect(packaging).rejects.toThrow(
    /^The settings of sessionGetThing take \d+ bytes, and Lambda holds 4096\. Put certificates into trust/,
  );
});

describe('the settings of a stage', () => {
  const { TZ: _, ...SETTINGS } = STAGE_SETTINGS;
  const apply = (environment: Readonly<Record<string, unknown>>) =>
    applyStageSettings(
      {
        serviceDir: root,
        service: { functions: {}, provider: { stage: 'trial', environment } },
      } as unknown as Framework,
      'session',
    );

  test('may have no name that is no setting', async () => {
    await expect(apply({ ...SETTINGS, Log__Levle: 'WARN' })).rejects.toThrow(
      'The settings of stage trial name Log__Levle, which is no setting.',
    );
  });

  test('may name no root that no function would have', async () => {
    const roots = { session__Certificates__TrustAnchors: 'trust/roots.pem, /home/me/second.pem' };
    await expect(apply({ ...SETTINGS, ...roots })).rejects.toThrow(
      'names the file /home/me/second.pem, which no function would have.',
    );
    await expect(apply(SETTINGS)).resolves.toBeUndefined();
  });

  test('must have what the service needs, wherever the shell has it', async () => {
    const { Certificates__TrustAnchors, ...others } = SETTINGS;
    Object.assign(process.env, { Certificates__TrustAnchors });
    await expect(apply(others)).rejects.toThrow(
      'Setting Certificates:TrustAnchors (Certificates__TrustAnchors) is not set: no certificate is trusted without roots.',
    );
  });

  test('hold no secret in clear text: packaging says how it is stored and named', async () => {
    const refused = apply({ ...SETTINGS, Signer__ApiKey: 'a-key-in-clear-text' });
    await expect(refused).rejects.toThrow(
      'Signer__ApiKey is a secret, and would be readable in the template.',
    );
    await expect(refused).rejects.toThrow(
      '--type SecureString --name /sinete/trial/signer/api-key --value file:///dev/stdin',
    );
    await expect(refused).rejects.not.toThrow('a-key-in-clear-text');
    await expect(apply({ ...SETTINGS, session__Signer__ApiKey: { Ref: 'SignerKey' } })).rejects.toThrow(
      'session__Signer__ApiKey is a secret',
    );
  });

  test('name no file of a machine', async () => {
    await expect(apply({ ...SETTINGS, Log__Level: 'file:/etc/level' })).rejects.toThrow(
      'Log__Level names file:/etc/level, a file that no function has.',
    );
  });

  test('hold no value that no function could read', async () => {
    await expect(apply({ ...SETTINGS, Signer__ApiKey: 'withheld:' })).rejects.toThrow(
      'Signer__ApiKey is withheld:, which is no value. Name one, or leave it out.',
    );
    const encrypted = { ...SETTINGS, Signer__ApiKey: 'kms:AQICAHg' };
    await expect(apply(encrypted)).rejects.toThrow(
      'Signer__ApiKey is encrypted by KMS, and no function may decrypt it. Set Sealing__KmsKey',
    );
    const Sealing__KmsKey = 'arn:aws:kms:sa-east-1:123456789012:key/one';
    await expect(apply({ ...encrypted, Sealing__KmsKey })).resolves.toBeUndefined();
    // IAM matches no alias as a resource.
    await expect(apply({ ...encrypted, Sealing__KmsKey: 'alias/own' })).rejects.toThrow(
      'Setting Sealing:KmsKey (Sealing__KmsKey) must be the ARN of a KMS key',
    );
  });

  test('say how many workers a queue has: as many as there are slots, and two at least', async () => {
    const sqs = { arn: 'jobs', maximumConcurrency: 32 };
    const functions = { batchProcessJobs: { handler: '', events: [{ sqs }] } };
    const framework = (Pipeline__MaxConcurrency: string) =>
      ({
        serviceDir: root,
        service: {
          functions,
          provider: { stage: 'trial', environment: { ...SETTINGS, Pipeline__MaxConcurrency } },
        },
      }) as unknown as Framework;
    await applyStageSettings(framework('8'), 'batch');
    expect(sqs.maximumConcurrency).toBe(8);
    await applyStageSettings(framework('1'), 'batch');
    expect(sqs.maximumConcurrency).toBe(2);
  });

  test('let functions decrypt the ring with the key that wraps it, for this stage, and encrypt nothing', async () => {
    const roleOf = () => ({
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [{ PolicyDocument: { Statement: [] as object[] } }] },
    });
    const Resources = { SessionRole: roleOf(), SessionPublicRole: roleOf() };
    const Sealing__KmsKey = 'arn:aws:kms:sa-east-1:123456789012:key/one';
    const framework = {
      serviceDir: root,
      service: {
        functions: {},
        provider: { stage: 'trial', environment: { ...SETTINGS, Sealing__KmsKey } },
        resources: { Resources },
      },
    } as unknown as Framework;
    await applyStageSettings(framework, 'session');
    const statementsOf = ({ Properties: { Policies } }: ReturnType<typeof roleOf>) =>
      Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statementsOf(Resources.SessionRole)).toContainEqual({
      Sid: 'SealingKeys',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: Sealing__KmsKey,
      Condition: {
        StringEquals: {
          'kms:EncryptionContext:application': 'sinete',
          'kms:EncryptionContext:stage': 'trial',
        },
      },
    });
    expect(JSON.stringify(statementsOf(Resources.SessionRole))).not.toMatch(/"kms:(Encrypt"|Generate|\*)/);
    expect(statementsOf(Resources.SessionPublicRole)).toEqual([]);
  });

  test('need nothing that another service needs, and may be expressions', async () => {
    const { SecurityContexts__PkiBrazil: _, ...others } = SETTINGS;
    const Certificates__TrustAnchors = { 'Fn::ImportValue': 'roots' };
    await expect(apply({ ...others, Certificates__TrustAnchors })).resolves.toBeUndefined();
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
    for (const name of ['Sealing__Keys', 'batch__Storage__Inputs', 'compact__Auth__ApiKey'])
      expect([name, variables.has(name)]).toEqual([name, true]);
    for (const name of ['batch__Auth__ApiKey', 'Auth__CookieName', 'batch__RateLimiting__Upload__Window'])
      expect([name, variables.has(name)]).toEqual([name, false]);
  });

  test('is not packaged with another key than batch, however each file names it', async () => {
    const key = { Sealing__Keys: 'ssm:/sinete/prod/sealing/keys' };
    expect(await beside(key, { ...key })).toBeUndefined();
    const inputs = { Storage__Inputs: 'inbox=input/inbox' };
    expect(await beside(inputs, { batch__Storage__Inputs: inputs.Storage__Inputs })).toBeUndefined();
    expect(await beside(key, { Sealing__Keys: 'ssm:/sinete/prod/other-keys' })).toBe(
      'settings.prod.compact.yml and settings.prod.yml differ in Sealing__Keys. compact works on the stores of batch: both must set it alike.',
    );
    expect(await beside(key, {})).toMatch(/differ in Sealing__Keys/);
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
  // It would stop the functions.
  expect(whyNotReservable('0', functions)).toMatch('must be a whole number from 1 to 9999; "0" is not.');
  expect(whyNotReservable('many', functions)).toMatch(/whole number/);
  expect(whyNotReservable('5', {})).toBe(
    'No function of this service takes reservedConcurrency. Leave it out.',
  );
  expect(whyNotReservable(undefined, {})).toBeUndefined();
});
