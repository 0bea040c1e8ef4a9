import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../infra/build.ts';
import { whyNotDeployable } from '../../infra/plugins/deployable.ts';
import { echoHandler, sampleRepository } from './sample-repository.ts';

const SAMPLE = {
  'functions/session/functions.yml': `
sessionGetThing:
  handler: dist/session/get-thing.handler
  timeout: 60
  events: [{ http: { path: 'session/v1/things/{id}', method: get } }]
sessionAnyThing:
  handler: dist/session/any-thing.handler
  events: [{ http: ANY /session/v1/anything }]
sessionSweep:
  handler: dist/session/sweep.handler
  events: [{ schedule: rate(1 minute) }]
sessionRefuseUnknownRoute:
  handler: dist/session/refuse-unknown-route.handler
  events:
    - http: { path: session, method: any }
    - http: { path: 'session/{proxy+}', method: any }
`,
  'functions/session/settings.ts': `import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
    import { defineSettings } from '../../shared/settings/settings.ts';
    export const settings = defineSettings('session', certificateSettings);\n`,
  'functions/session/endpoints/get-thing.ts': echoHandler('get-thing'),
  'functions/session/endpoints/any-thing.ts': echoHandler('any-thing'),
  'functions/session/endpoints/refuse-unknown-route.ts': echoHandler('refused'),
  'functions/session/workers/sweep.ts': echoHandler('sweep'),
  'functions/sandbox/functions.yml': `
sandboxReceive:
  handler: dist/sandbox/receive.handler
  events: [{ http: { path: 'sandbox/receiver/{name}', method: any } }]
`,
  'functions/sandbox/endpoints/receive.ts': echoHandler('receive'),
};

const FRAMEWORK = join(process.cwd(), 'node_modules/serverless/bin/serverless.js');

type Ended = { code: number; stdout: string; stderr: string };

async function run(script: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Ended;
  }
}

let root: string;

beforeAll(async () => {
  root = await sampleRepository(SAMPLE);
});

afterAll(() => rm(root, { recursive: true, force: true }));

describe('npm run package', () => {
  const npmRunPackage = (...args: string[]) => run('infra/package.ts', args, { cwd: process.cwd() });

  test('an unknown service is refused in one line that lists the services', async () => {
    expect(await npmRunPackage('--service', 'sesion')).toMatchObject({
      code: 1,
      stderr:
        "There is no service 'sesion'. Name one of session, hub, pki, batch, compact, documents, credentials.\n",
    });
  });

  test('the local stage and a stage that no bucket name can hold are refused', async () => {
    const [local, upper] = await Promise.all([
      npmRunPackage('--stage', 'local'),
      npmRunPackage('--stage', 'Prod'),
    ]);
    expect(local).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Stage 'local' holds the sandbox"),
    });
    expect(upper).toMatchObject({ code: 1, stderr: expect.stringContaining("Stage 'Prod' must be") });
  });
});

describe('the framework on its own, as a deploy runs it', () => {
  const env = { ...process.env, SLS_SCHEMA_CACHE_BASE_DIR: 'node_modules/.cache/sinete' };
  const framework = (...args: string[]) => run(FRAMEWORK, args, { cwd: root, env });

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

  test('will not package the local stage, nor what is not built', async () => {
    const local = await framework('package', '--param', 'service=session');
    expect(local).toMatchObject({ code: 1, stdout: expect.stringContaining('is never deployed') });

    const unbuilt = await framework('package', '--stage', 'prod', '--param', 'service=session');
    expect(unbuilt).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('sessionGetThing and 3 more are not built. Run npm run build first.'),
    });
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
    await writeFile(
      join(root, 'settings.prod.yml'),
      'Http__PublicUrl: https://sign.example\nLog__Level: WARN\n',
    );
    await build({ local: false, outdir: root, root });
    const ended = await run(
      FRAMEWORK,
      ['package', '--stage', 'prod', '--param', 'service=session', '--package', 'dist/packages/session'],
      {
        cwd: root,
        // No credentials, and a home where nothing may be written.
        env: {
          PATH: process.env.PATH,
          HOME: '/nowhere',
          SLS_SCHEMA_CACHE_BASE_DIR: root,
          NODE_OPTIONS: `--import ${join(root, 'no-network.mjs')}`,
        },
      },
    );
    expect(ended).toMatchObject({ code: 0 });
    const file = join(root, 'dist/packages/session/cloudformation-template-update-stack.json');
    template = JSON.parse(await readFile(file, 'utf8'));
  });

  test('has the settings of its own file rather than its stage’s, and a public address that was given stays as it is', () => {
    expect(template.Resources.SessionGetThingLambdaFunction?.Properties.Environment).toEqual({
      Variables: {
        STAGE: 'prod',
        AWS_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
        Http__PublicUrl: 'https://sign.example',
        Http__MaxBodyBytes: '4500000',
        Log__Level: 'WARN',
        Sessions__Epoch: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
  });

  test('waits at the gateway for a function that takes longer than the gateway would', () => {
    expect(template.Resources.ApiGatewayMethodSessionV1ThingsIdVarGet?.Properties).toMatchObject({
      Integration: { TimeoutInMillis: 60_000 },
    });
  });

  test('sends every other method of each path, and of each folder on the way, to refuse-unknown-route', () => {
    const any = Object.entries(template.Resources)
      .filter(
        ([, { Type, Properties }]) => Type === 'AWS::ApiGateway::Method' && Properties.HttpMethod === 'ANY',
      )
      .map(([id, { Properties }]) => [
        id,
        /Session(\w+)LambdaFunction/.exec(JSON.stringify(Properties))?.[1],
      ]);
    expect(Object.fromEntries(any)).toEqual({
      ApiGatewayMethodSessionAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionProxyVarAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1Any: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1ThingsAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1ThingsIdVarAny: 'RefuseUnknownRoute',
      ApiGatewayMethodSessionV1AnythingAny: 'AnyThing',
    });
  });
});

describe('the same service under serverless-offline', () => {
  let offline: ChildProcess;
  let url: string;
  let said = '';

  beforeAll(async () => {
    const [httpPort, lambdaPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${httpPort}`;
    await build({ local: true, outdir: root, root });
    offline = spawn(
      process.execPath,
      [
        FRAMEWORK,
        'offline',
        'start',
        '--stage',
        'local',
        '--param',
        'service=session',
        '--httpPort',
        `${httpPort}`,
        '--lambdaPort',
        `${lambdaPort}`,
      ],
      {
        cwd: root,
        env: { ...process.env, SLS_SCHEMA_CACHE_BASE_DIR: root },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [offline.stdout, offline.stderr]) stream?.on('data', (chunk) => (said += chunk));
    while (!said.includes('Server ready') && offline.exitCode === null) await pause(50);
    expect(said).toContain('Server ready');
  });

  afterAll(async () => {
    if (offline.exitCode !== null) return;
    offline.kill('SIGKILL');
    await once(offline, 'exit');
  });

  test.each([
    ['GET', '/session/v1/things/1', 'get-thing GET'],
    ['PATCH', '/session/v1/things/1', 'refused PATCH'],
    ['GET', '/session/v1/things', 'refused GET'],
    ['PUT', '/session/v1/anything', 'any-thing PUT'],
    ['GET', '/session/nothing/here', 'refused GET'],
    ['GET', '/session', 'refused GET'],
    ['POST', '/sandbox/receiver/a', 'receive POST'],
  ])('%s %s is answered by %s', async (method, path, answer) => {
    expect(await (await fetch(url + path, { method })).text()).toBe(answer);
  });

  test('schedules are left to the local engine', () => {
    expect(said).not.toMatch(/Scheduling/);
    expect(existsSync(join(root, 'dist/session/sweep.mjs'))).toBe(true);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
