import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readFlags, USAGE } from '../../../../infra/local/engine/flags.ts';
import { errorLine, openLog } from '../../../../infra/local/engine/log.ts';
import { requireReadyFile } from '../../../../infra/local/engine/readiness.ts';
import {
  externalEndpoints,
  readAwsOptions,
  storesOutOfReach,
} from '../../../../infra/local/stores/endpoints.ts';
import { startOwnStores } from '../../../../infra/local/stores/own.ts';
import { readFunctions, requireBundles } from '../../../../infra/runtime/functions/declared-functions.ts';

describe('the flags of npm start', () => {
  test('have defaults', () => {
    expect(readFlags([], '/house')).toEqual({
      port: 3000,
      dataDir: '/house/.local',
      fresh: false,
      readyFile: undefined,
    });
  });

  test('move the port, the data and the ready file; paths count from where one stands', () => {
    const argv = ['--port', '3100', '--data', 'elsewhere', '--fresh', '--ready-file=ready'];
    expect(readFlags(argv, '/house')).toEqual({
      port: 3100,
      dataDir: join(process.cwd(), 'elsewhere'),
      fresh: true,
      readyFile: join(process.cwd(), 'ready'),
    });
  });

  test('are listed for whoever asks for help', () => {
    for (const word of ['--help', '-h']) expect(readFlags([word], '/house')).toBeUndefined();
    for (const flag of ['--port N', '--data DIR', '--fresh', '--ready-file FILE'])
      expect(USAGE).toContain(`  ${flag} `);
  });

  test.each([['--port', '0'], ['--port'], ['--data', ''], ['--frehs']])(
    '%s %s is refused in one line',
    (...argv) => {
      expect(() => readFlags(argv, '/house')).toThrow(/^[^\n]+$/);
    },
  );

  test('that are wrong are told with what is wrong', () => {
    expect(() => readFlags(['--port', '70000'], '/house')).toThrow(/--port.*"70000"/);
    expect(() => readFlags(['fresh'], '/house')).toThrow(/'fresh'\. See: npm start -- --help/);
  });
});

test.each([
  ['in a folder that is not there', '/no/such/folder/ready', 'ENOENT'],
  ['that is a folder', tmpdir(), 'it is a folder'],
])('a ready file %s stops the start, with its name', (_, path, why) => {
  expect(() => requireReadyFile(path)).toThrow(`--ready-file ${path} cannot be written: ${why}`);
});

describe('the stores that an engine works on', () => {
  test('are its own when no endpoint is set', () => {
    expect(externalEndpoints({ AWS_REGION: 'sa-east-1', AWS_ACCESS_KEY_ID: 'x' })).toBeUndefined();
  });

  test('are at one endpoint for all, with any key', () => {
    expect(externalEndpoints({ AWS_ENDPOINT_URL: 'http://localhost:4566' })).toEqual({
      AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:4566',
      AWS_ENDPOINT_URL_S3: 'http://localhost:4566',
      AWS_ENDPOINT_URL_SQS: 'http://localhost:4566',
      AWS_REGION: 'us-east-1',
      AWS_ACCOUNT_ID: '000000000000',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
  });

  test("are at endpoints of their own, with the caller's region, account and credentials", () => {
    const env = {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://a',
      AWS_ENDPOINT_URL_S3: 'http://b',
      AWS_ENDPOINT_URL_SQS: 'http://c',
      AWS_REGION: 'sa-east-1',
      AWS_ACCOUNT_ID: '123456789012',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
    };
    expect(externalEndpoints(env)).toEqual(env);
  });

  test('take a profile as it is', () => {
    const env = externalEndpoints({ AWS_ENDPOINT_URL: 'http://a', AWS_PROFILE: 'mine' });
    expect(env).toMatchObject({ AWS_PROFILE: 'mine' });
    expect(env).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  });

  test('that do not answer are told by their addresses, with the variables that led there', () => {
    const external = externalEndpoints({
      AWS_ENDPOINT_URL: 'http://localhost:1',
      AWS_ENDPOINT_URL_S3: 'http://b',
    });
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(storesOutOfReach(external ?? {}, refused)).toHaveProperty(
      'message',
      'The stores at http://localhost:1, http://b do not answer (connect ECONNREFUSED 127.0.0.1:1). Start them, or correct AWS_ENDPOINT_URL and the variables that begin so; without any, the engine opens its own stores.',
    );
    const other = new Error('The table is in another shape.');
    expect(storesOutOfReach(external ?? {}, other)).toBe(other);
  });

  test('are refused by half', () => {
    expect(() => externalEndpoints({ AWS_ENDPOINT_URL_SQS: 'http://a' })).toThrow(
      'AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_S3 must be set too',
    );
  });

  test('behave as on AWS or as they are, and in no third way', () => {
    expect(() => readAwsOptions({ Local__Dynamo: 'gcp' })).toThrow(
      'Local__Dynamo is aws or unset, not "gcp".',
    );
  });

  test.each(['dynamodb', 's3-and-sqs'])(
    'are not opened beside data of an earlier version: %s',
    async (folder) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'sinete-outdated-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true }));
      mkdirSync(join(dataDir, folder));
      await expect(startOwnStores({ dataDir })).rejects.toThrow(
        /^The data in [^\n]* earlier version [^\n]*--fresh[^\n]*$/,
      );
    },
  );
});

describe('the functions', () => {
  const root = mkdtempSync(join(tmpdir(), 'sinete-functions-'));
  afterAll(() => rmSync(root, { recursive: true }));

  test('without a bundle stop the start, with the name of the file that is missing', () => {
    mkdirSync(join(root, 'functions/session'), { recursive: true });
    mkdirSync(join(root, 'build/dist/session'), { recursive: true });
    writeFileSync(
      join(root, 'functions/session/functions.yml'),
      'sessionA: { handler: dist/session/a.handler }\nsessionB: { handler: dist/session/b.handler }\n',
    );
    const functions = readFunctions(root);
    expect(functions.map(({ key }) => key)).toEqual(['sessionA', 'sessionB']);

    writeFileSync(join(root, 'build/dist/session/a.mjs'), '');
    expect(() => requireBundles(functions, join(root, 'build'))).toThrow(
      'functions/session/functions.yml: sessionB has the handler dist/session/b.handler, but there is no functions/session/{endpoints,routers,workers}/b.ts.',
    );
    writeFileSync(join(root, 'build/dist/session/b.mjs'), '');
    expect(() => requireBundles(functions, join(root, 'build'))).not.toThrow();
  });

  test('in a file that is no YAML stop the start, with its name', () => {
    writeFileSync(join(root, 'functions/session/functions.yml'), 'a: [');
    expect(() => readFunctions(root)).toThrow('functions/session/functions.yml is not readable as YAML');
  });
});

describe('the line that a terminal shows of a log line', () => {
  test.each([
    ['{"level":"ERROR","service":"session","message":"no table"}', 'session: no table'],
    ['{"level":"CRITICAL","message":"no table","error":{"message":"gone"}}', 'function: no table (gone)'],
    ['{"level":"ERROR","service":"hub","message":"two\\nlines"}', 'hub: two lines'],
    ['{"level":"WARN","service":"session","message":"slow"}', undefined],
    ['{"level":"INFO","service":"session","message":"answered"}', undefined],
    ['{broken', undefined],
    ['      at file:///somewhere.mjs:1:2', undefined],
    ['just some words', undefined],
    [
      '{"level":"ERROR","message":"\\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007\\u0008now"}',
      'function: red now',
    ],
    ['{"level":"ERROR","message":{"toString":1},"error":null}', 'function: {"toString":1}'],
  ])('%s', (line, shown) => {
    expect(errorLine(line)).toBe(shown);
  });

  test('is cut when it is long', () => {
    const line = JSON.stringify({ level: 'ERROR', message: 'a'.repeat(1000) });
    expect(errorLine(line)).toHaveLength(301);
  });
});

describe('the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('keeps what was there before', async () => {
    const path = join(folder, 'engine.log');
    for (const line of ['one', 'two']) {
      const log = openLog(path, () => {});
      log.write(line);
      await log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  test('that cannot be opened stops the start, with its name and what to do', () => {
    expect(() => openLog(folder, () => {})).toThrow(/^The log .* cannot be opened: EISDIR.* --data DIR$/);
  });

  test.runIf(process.platform === 'linux')('that cannot be written is told of once', async () => {
    const path = join(folder, 'full.log');
    symlinkSync('/dev/full', path);
    const said: string[] = [];
    const log = openLog(path, (line) => said.push(line));
    log.write('one');
    await expect.poll(() => said).toEqual([expect.stringMatching(/^The log cannot be written: ENOSPC/)]);
    log.write('two');
    await log.close();
    expect(said).toHaveLength(1);
  });
});
