import { globSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runDeploy } from '../../../cli/deploy/run.ts';
import { parameterOf } from '../../../shared/settings/named-values.ts';
import { SERVICES } from '../../../shared/settings/names.ts';
import {
  realRepository,
  STAGE_SETTINGS,
  sampleRepository,
  writeStageSettings,
} from '../../infra/sample-repository.ts';
import { schemaProblems } from '../../infra/templates/schema.ts';
import type { Template } from '../../infra/templates/template.ts';
import { type FakeAws, isReading, startFakeAws } from './fake-aws.ts';

const PLANTED = 'planted-in-ssm';
const SIGNER = 'secretsmanager:sinete/prod/signer#key';

const isNamed = ([, value]: [string, string]): boolean => /^(ssm|secretsmanager):/.test(value);
const [SECRET = ['', '']] = Object.entries(STAGE_SETTINGS)
  .filter(isNamed)
  .filter(([name]) => !name.startsWith('batch__') && !name.startsWith('Signer__'));

/** Values of the secrets that the settings of the stage name. None of them may be seen anywhere. */
const VALUES = Object.entries(STAGE_SETTINGS)
  .filter(isNamed)
  .map(([, name], n): [string, string] => {
    const value = `${PLANTED}-${n}`;
    return [parameterOf(name), name.includes('#') ? JSON.stringify({ key: value }) : value];
  });

/** A repository with the same packages, whose artifacts hold their names alone: a megabyte for each function takes its time. */
async function withSmallArtifacts(from: string): Promise<string> {
  const root = await realRepository();
  await writeStageSettings(root, 'prod');
  await cp(join(from, 'dist/packages'), join(root, 'dist/packages'), { recursive: true });
  for (const path of globSync('dist/*.zip', { cwd: from })) await writeFile(join(root, path), path);
  return root;
}

/** Tests of npm run deploy, on the packages of all services. */
export function deployRules(rootOf: () => string): void {
  let root: string;
  let aws: FakeAws;
  let api: Server;
  let printed: string[] = [];
  let answers: (path: string) => number;

  beforeAll(async () => {
    root = await withSmallArtifacts(rootOf());
    // The API of every stack.
    api = createServer((request, response) => {
      response.statusCode = answers(new URL(request.url ?? '/', 'http://api').pathname);
      response.end('{}');
    });
    await new Promise<void>((done) => api.listen(0, '127.0.0.1', done));
  });
  afterAll(async () => {
    api.close();
    await rm(root, { recursive: true });
  });

  beforeEach(async () => {
    aws = await startFakeAws();
    for (const [name, value] of VALUES) aws.parameters.set(name, value);
    aws.stacks.endpoint = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    answers = (path) => (path.endsWith('/healthz') ? 200 : path.includes('openapi') ? 404 : 401);
    vi.stubEnv('AWS_ENDPOINT_URL', aws.endpoint);
    for (const one of ['S3', 'SSM', 'STS', 'CLOUDFORMATION']) vi.stubEnv(`AWS_ENDPOINT_URL_${one}`, '');
    vi.stubEnv('AWS_REGION', 'sa-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    // The command sets it for its process.
    vi.stubEnv('STAGE', 'local');
  });
  afterEach(async () => {
    expect(printed.filter((line) => line.includes(PLANTED))).toEqual([]);
    expect(aws.sent.filter((bytes) => bytes.includes(PLANTED))).toEqual([]);
    vi.unstubAllEnvs();
    await aws.stop();
  });

  /** Runs it, and gives its exit code and what it printed. */
  const deployFrom = async (folder: string, ...words: string[]) => {
    printed = [];
    const print = (text: string): void => void printed.push(text);
    const pause = async () => undefined;
    const code = await runDeploy(
      ['--stage', 'prod', ...words],
      { print, printError: print },
      { root: folder, pause },
    );
    return { code, text: printed.join('\n') };
  };
  const deploy = (...words: string[]) => deployFrom(root, '--packaged', ...words);
  const writes = (): string[] => aws.calls.filter((call) => !isReading(call));

  test('with --dry-run prints its plan, changes nothing, and ends with 0 when nothing is missing', async () => {
    aws.hasLogRole = false;
    const { code, text } = await deploy('--dry-run', '--param', 'backupDays=35');
    expect(code).toBe(0);
    expect(text).toContain('Stage prod in sa-east-1, account 123456789012:');
    expect(text).toContain('create  sinete-api-logs');
    for (const service of SERVICES)
      expect(text).toMatch(new RegExp(`create {2}sinete-prod-${service}: \\d+ functions, \\d+ resources`));
    expect(text.indexOf('sinete-prod-batch')).toBeLessThan(text.indexOf('sinete-prod-compact'));
    expect(text).toContain('with    backupDays=35');
    expect(writes()).toEqual([]);
  });

  test('names a missing quota, secret, field of one and a foreign key all at once, and ends with 1', async () => {
    aws.concurrency = 10;
    aws.parameters.delete(parameterOf(SECRET[1]));
    aws.parameters.set(parameterOf(SIGNER), '{}');
    const { code, text } = await deploy(
      ...['--dry-run', '--param', 'kmsKey=arn:aws:kms:us-east-1:123456789012:key/1'],
    );
    expect(code).toBe(1);
    expect(text).toContain('4 to mend before this can be deployed:');
    expect(text).toMatch(
      /Lambda may run 10 functions at once in this account, and these services need \d{3}/,
    );
    expect(text).toContain(`${SECRET[0]} names ${SECRET[1]}, which Systems Manager does not know.`);
    expect(text).toContain(`Signer__ApiKey names ${SIGNER}, whose JSON has no text key.`);
    expect(text).toContain(
      'Parameter kmsKey is of account 123456789012 in us-east-1; this is 123456789012 in sa-east-1.',
    );
    expect(writes()).toEqual([]);
  });

  test('names a missing setting beside a missing secret and a missing quota, and builds nothing', async () => {
    aws.concurrency = 10;
    const bare = await sampleRepository({});
    await writeStageSettings(bare, 'prod', {
      Signer__ApiKey: 'ssm:/not/there',
      Sealing__Keys: 'kms:AQICAHg=',
    });
    const { code, text } = await deployFrom(bare, '--service', 'session', '--dry-run');
    await rm(bare, { recursive: true });
    expect(code).toBe(1);
    const missing = [
      'settings.prod.yml has no Signer__BaseAddress, which session needs: see step 2 of docs/aws.md.',
      'settings.prod.yml has no Certificates__TrustAnchors, which session needs: see step 2 of docs/aws.md.',
      expect.stringMatching(/^Lambda may run 10 functions/),
      'Signer__ApiKey names ssm:/not/there, which Systems Manager does not know.',
      'Sealing__Keys names kms:AQICAHg=, which KMS does not decrypt: InvalidCiphertextException.',
    ];
    expect(text.split('\n- ')).toEqual(expect.arrayContaining(missing));
  });

  test('takes no package of another stage', async () => {
    const { code, text } = await deploy('--stage', 'trial', '--service', 'hub', '--dry-run');
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(
        'hub is not packaged for this stage: npm run package -- --service hub --stage trial',
      ),
    ]);
  });

  test('goes on where it may not ask for quotas, and says so', async () => {
    aws.concurrency = undefined;
    const { code, text } = await deploy('--dry-run');
    expect([code, text]).toEqual([0, expect.stringContaining('Note: Service Quotas does not say')]);
  });

  test('says that AWS does not take the credentials, and asks nothing more', async () => {
    aws.hasCredentials = false;
    const { code, text } = await deploy('--dry-run');
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('AWS does not take the credentials: The security token'),
    ]);
    expect(aws.calls).toEqual(['GetCallerIdentity']);
  });

  test('does not deploy compact where the stage has no batch', async () => {
    const { code, text } = await deploy('--service', 'compact', '--dry-run');
    expect([code, text]).toEqual([1, expect.stringContaining('stage prod has none: deploy batch too.')]);
  });

  test('deploys batch and compact in this order, and does not remove batch alone', async () => {
    expect((await deploy('--service', 'compact', '--service', 'batch')).code).toBe(0);
    expect([...aws.stacks.stacks.keys()].slice(0, 2)).toEqual(['sinete-prod-batch', 'sinete-prod-compact']);
    const { code, text } = await deploy(
      '--remove',
      '--service',
      'batch',
      '--param',
      'deletionProtection=false',
    );
    expect([code, text]).toEqual([1, 'compact works on the stores of batch: remove it too.']);
  });

  describe('of two services', () => {
    const TWO = ['--service', 'session', '--service', 'hub'];
    const stackOf = (name: string) => aws.stacks.stacks.get(`sinete-prod-${name}`);

    test('creates their stacks with their code, protects them, watches them, and tries them out', async () => {
      aws.hasLogRole = false;
      const topic = 'arn:aws:sns:sa-east-1:123456789012:alarms';
      const words = ['--packaged', ...TWO, '--param', `alarmTopic=${topic}`];
      const { code, text } = await deployFrom(rootOf(), ...words);
      expect([code, text]).toEqual([0, expect.stringContaining('session answers: http://')]);
      expect([...aws.stacks.stacks.keys()]).toEqual([
        ...['sinete-api-logs', 'sinete-prod-hub', 'sinete-prod-session', 'sinete-prod-watch'],
      ]);
      expect(stackOf('hub')).toMatchObject({ status: 'UPDATE_COMPLETE', isProtected: true });
      for (const { template } of aws.stacks.stacks.values())
        expect(await schemaProblems(template as Template)).toEqual([]);
      expect(stackOf('watch')?.parameters).toEqual({ AlarmTopic: topic });
      expect(JSON.stringify(stackOf('watch')?.template)).not.toContain('sinete-prod-documents');
    });

    test('run again changes nothing, and puts no file twice', async () => {
      await deploy(...TWO);
      aws.calls.length = 0;
      const { code, text } = await deploy(...TWO);
      expect(code).toBe(0);
      expect(text.match(/nothing to change/g)).toHaveLength(3);
      expect(new Set(writes())).toEqual(new Set(['CreateChangeSet', 'DeleteChangeSet']));
    });

    test('watches the services that the stage had before, too', async () => {
      await deploy('--service', 'hub');
      await deploy('--service', 'session');
      const watched = JSON.stringify(stackOf('watch')?.template);
      for (const name of ['sinete-prod-hub', 'sinete-prod-session']) expect(watched).toContain(name);
    });

    test('that CloudFormation takes back is told with its reason, and may be run again', async () => {
      aws.stacks.failing = { name: 'sinete-prod-hub', reason: 'Not enough permissions' };
      const first = await deploy(...TWO);
      expect([first.code, first.text]).toEqual([
        1,
        expect.stringContaining('Broken: Not enough permissions'),
      ]);
      expect(first.text).not.toContain('cancelled');
      expect(stackOf('session')).toBeUndefined();
      expect((await deploy(...TWO)).code).toBe(0);
      aws.stacks.failing = { name: 'sinete-prod-hub', reason: 'Quota' };
      const [fn] = Object.values(stackOf('hub')?.template.Resources ?? {}).filter(({ Type }) =>
        /Function/.test(Type),
      );
      Object.assign(fn?.Properties ?? {}, { Timeout: 1 });
      expect((await deploy(...TWO)).text).toContain('UPDATE_ROLLBACK_COMPLETE');
      expect((await deploy(...TWO)).code).toBe(0);
    });

    test.each([
      ['/hub/healthz', 502, 'GET http://', '/hub/healthz was answered with 502, and must be 200.'],
      ['/hub/api/sessions/custom-state', 200, 'GET http://', 'was answered with 200, and must be 401.'],
    ])('whose %s answers %i have failed the smoke test', async (broken, status, ...told) => {
      const usual = answers;
      answers = (path) => (path === broken ? status : usual(path));
      const { code, text } = await deploy('--service', 'hub');
      expect(code).toBe(1);
      for (const words of told) expect(text).toContain(words);
    });

    test('of which one is removed are watched without it', async () => {
      await deploy(...TWO);
      expect((await deploy('--remove', '--service', 'pki')).text).toContain('there is nothing to remove');
      const { code } = await deploy(
        ...['--remove', '--service', 'session', '--param', 'deletionProtection=false'],
      );
      expect(code).toBe(0);
      expect([...aws.stacks.stacks.keys()]).toEqual(['sinete-prod-hub', 'sinete-prod-watch']);
      expect(JSON.stringify(stackOf('watch')?.template)).not.toContain('sinete-prod-session');
    });

    test('removed are asked for twice, keep their data, say so, and take it in again', async () => {
      await deploy(...TWO);
      const refused = await deploy('--remove');
      expect([refused.code, refused.text]).toEqual([
        1,
        expect.stringContaining('--param deletionProtection=false'),
      ]);
      const remove = ['--remove', '--param', 'deletionProtection=false'];
      aws.calls.length = 0;
      expect((await deploy(...remove, '--dry-run')).text).toContain('Would keep:');
      expect(writes()).toEqual([]);
      const { code, text } = await deploy(...remove);
      expect(code).toBe(0);
      expect(text).toContain('AWS::DynamoDB::Table "sinete-prod-session"');
      expect(text).toContain('AWS::Logs::LogGroup "/aws/lambda/sinete-prod-hub"');
      expect(aws.stacks.stacks.size).toBe(0);
      expect((await deploy(...TWO)).text).toMatch(/sinete-prod-session: \d+ added, [2-9] taken in again/);
    });
  });
}
