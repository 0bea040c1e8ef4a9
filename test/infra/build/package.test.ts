import { createHash } from 'node:crypto';

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../infra/build/build.ts';
import { whyNotDeployable } from '../../../infra/plugins/deployable.ts';
import { signingOf } from '../../../infra/plugins/sinete.ts';
import { STAGE_SETTINGS, sampleRepository, writeStageSettings } from '../sample-repository.ts';
import { FRAMEWORK, prepare, run, SAMPLE, SCHEMA_CACHE, serve } from '../sample-service.ts';

let root: string;

beforeAll(async () => {
  root = await sampleRepository(SAMPLE);
});

afterAll(() => rm(root, { recursive: true, force: true }));

const { Sealing__Keys } = STAGE_SETTINGS;

describe('npm run package', () => {
  const npmRunPackage = (...args: string[]) => run('infra/build/package.ts', args, { cwd: process.cwd() });

  test('an unknown service is refused in one line that lists the services', async () => {
    expect(await npmRunPackage('--service', 'sesion')).toMatchObject({
      code: 1,
      stderr:
        "There is no service 'sesion'. Name one of session, hub, pki, batch, compact, documents, credentials.\n",
    });
  });

  test('a stage without settings, as in a fresh clone, is told in one line what to set, before anything is built', async () => {
    expect(await npmRunPackage('--service', 'batch', '--stage', 'unwritten')).toMatchObject({
      code: 1,
      stderr:
        'Stage unwritten has no settings. Write settings.unwritten.yml with Sealing__Keys and Certificates__TrustAnchors, which batch needs: see step 2 of docs/aws.md.\n',
    });
  });
});

describe('the framework on its own, as a deploy runs it', () => {
  const framework = (...args: string[]) =>
    run(FRAMEWORK, args, { cwd: root, env: { ...process.env, ...SCHEMA_CACHE } });

  test('will not package what is not built', async () => {
    await writeStageSettings(root, 'trial', { Sealing__Keys, Certificates__TrustAnchors: 'trust/roots.pem' });
    const unbuilt = await framework('package', '--stage', 'trial', '--param', 'service=session');
    expect(unbuilt).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('sessionGetThing and 3 more are not built. Run npm run build first.'),
    });
  });

  test.each([
    ['the local stage', 'local', [], "Stage 'local' holds the sandbox and is never deployed"],
    ['a stage that no bucket name can hold', 'Prod', [], "Stage 'Prod' must be"],
    [
      'a parameter that there is not',
      'trial',
      ['kmskey=x'],
      'There is no parameter kmskey. Did you mean kmsKey? See docs/aws.md.',
    ],
  ])('will not package %s, whoever starts it', async (_, stage, more, why) => {
    await expect(prepare(root, { stage, params: ['service=session', ...more] })).rejects.toThrow(why);
  });
});

test('a stack of several services is refused: together they pass what CloudFormation takes', () => {
  expect(whyNotDeployable('prod', undefined)).toMatch(/^A stack holds one service. Name one of session, /);
  expect(whyNotDeployable('prod', 'session')).toBeUndefined();
});

describe('a packaged service', () => {
  let template: { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };

  // Any socket ends the run: packaging must need nobody's answer.
  const NO_NETWORK = `import { Socket } from 'node:net';
Socket.prototype.connect = () => { throw new Error('packaging reached for the network'); };\n`;

  beforeAll(async () => {
    await writeFile(join(root, 'no-network.mjs'), NO_NETWORK);
    await writeStageSettings(root, 'prod', {
      Http__PublicUrl: 'https://sign.example',
      Log__Level: 'WARN',
      Sealing__Keys,
      Certificates__TrustAnchors: 'trust/roots.pem',
      Hub__Word: 'of another service',
    });
    await build({ local: false, outdir: root, root });
    const ended = await run(
      FRAMEWORK,
      [
        ...['package', '--stage', 'prod', '--param', 'service=session', '--param', 'reservedConcurrency=7'],
        ...['--param', 'canary=Canary10Percent5Minutes', '--param', 'backupDays=35'],
        ...['--package', 'dist/packages/session'],
      ],
      {
        cwd: root,
        // No credentials, and a home where nothing may be written.
        env: {
          PATH: process.env.PATH,
          HOME: '/nowhere',
          ...SCHEMA_CACHE,
          NODE_OPTIONS: `--import ${join(root, 'no-network.mjs')}`,
        },
      },
    );
    expect(ended).toMatchObject({ code: 0 });
    const file = join(root, 'dist/packages/session/cloudformation-template-update-stack.json');
    template = JSON.parse(await readFile(file, 'utf8'));
  });

  test('has the stage’s settings that it reads, and a public address that was given stays as it is', () => {
    expect(template.Resources.SessionGetThingLambdaFunction?.Properties.Environment).toEqual({
      Variables: {
        STAGE: 'prod',
        AWS_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
        Http__PublicUrl: 'https://sign.example',
        Http__MaxBodyBytes: '4500000',
        Log__Level: 'WARN',
        Sealing__Keys,
        Certificates__TrustAnchors: 'trust/roots.pem',
        Agents__SocketUrl: { 'Fn::Sub': expect.stringContaining('wss://') },
        Sessions__Epoch: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        QUEUE_URL_SESSION_VERDICTS: { Ref: 'SessionVerdictsQueue' },
      },
    });
  });

  test('waits at the gateway for a streamed answer, and ends a function when no one waits for it', () => {
    const { Resources } = template;
    expect(Resources.ApiGatewayMethodSessionV1ThingsIdVarAny?.Properties).toMatchObject({
      Integration: { TimeoutInMillis: 60_000, ResponseTransferMode: 'STREAM' },
    });
    expect(Resources.SessionGetThingLambdaFunction?.Properties.Timeout).toBe(60);
    expect(JSON.stringify(Resources.ApiGatewayMethodSessionV1AnythingAny)).not.toContain('TimeoutInMillis');
    expect(Resources.SessionAnyThingLambdaFunction?.Properties.Timeout).toBe(29);
  });

  test('reserves the concurrency that was asked for, for the functions that take it', () => {
    const reserved = Object.entries(template.Resources)
      .map(([id, { Properties }]) => [id, Properties.ReservedConcurrentExecutions])
      .filter(([, number]) => number !== undefined);
    expect(reserved).toEqual([['SessionGetThingLambdaFunction', 7]]);
  });

  // Two versions of the session server side by side would refuse each other's sessions.
  test('has what its parameters ask for: a nightly copy, but no alias, as it is the session server', () => {
    const idsOf = (type: string) =>
      Object.entries(template.Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
    expect(idsOf('AWS::Lambda::Alias')).toEqual([]);
    expect(idsOf('AWS::Lambda::Version')).toEqual([]);
    expect(idsOf('AWS::Backup::BackupPlan')).toEqual(['SessionBackupPlan']);
    expect(idsOf('AWS::ApiGateway::Stage')).toEqual(['ApiGatewayStage']);
  });

  test('a canary is for the functions that may reserve and that callers call, by their own code', async () => {
    const [events, artifact] = [[{ http: 'POST /hub/api/sign' }], 'dist/session.get-thing.zip'];
    const reservedConcurrency = 7;
    const functions = {
      hubSign: { handler: 'dist/hub/sign.handler', events, reservedConcurrency, package: { artifact } },
      hubList: { handler: 'dist/hub/list.handler', events, package: { artifact } },
      hubWork: { handler: 'dist/hub/work.handler', events: [], reservedConcurrency, package: { artifact } },
    };
    const hash = createHash('sha256').update(await readFile(join(root, artifact)));
    expect(signingOf({ serviceDir: root, service: { functions } })).toEqual([
      { id: 'HubSignLambdaFunction', codeHash: hash.digest('hex') },
    ]);
  });

  test('sends every other method of a path to the function of its GET, else to refuse-unknown-route, as each folder on the way', () => {
    const any = Object.entries(template.Resources)
      .filter(
        ([, { Type, Properties }]) => Type === 'AWS::ApiGateway::Method' && Properties.HttpMethod === 'ANY',
      )
      .map(([id, { Properties }]) => [
        id,
        /Session(\w+?)(?:LambdaFunction|Alias)/.exec(JSON.stringify(Properties))?.[1],
      ]);
    expect(Object.fromEntries(any)).toEqual({
      ApiGatewayMethodSessionAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionProxyVarAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1Any: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1ThingsAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1ThingsIdVarAny: 'GetThing',
      ApiGatewayMethodSessionV1AnythingAny: 'AnyThing',
    });
  });
});

describe('the same service under the local engine', () => {
  let served: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    served = await serve(root);
  });

  afterAll(() => served?.stop());

  test.each([
    ['GET', '/session/v1/things/1', 'get-thing GET'],
    ['PATCH', '/session/v1/things/1', 'get-thing PATCH'],
    ['GET', '/session/v1/things', 'refused GET'],
    ['PUT', '/session/v1/anything', 'any-thing PUT'],
    ['GET', '/session/nothing/here', 'refused GET'],
    ['GET', '/session', 'refused GET'],
    ['POST', '/sandbox/receiver/a', 'receive POST'],
  ])('%s %s is answered by %s', async (method, path, answer) => {
    expect(await (await fetch(served.url + path, { method })).text()).toBe(answer);
  });
});
