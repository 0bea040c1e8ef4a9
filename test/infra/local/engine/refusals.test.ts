import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, repositoryWith, startEngineProcess, temporaryFolder } from './engine-process.ts';

afterAll(cleanUp);

const aForeignFolder = () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'thesis.txt'), 'the only copy');
  return folder;
};

describe('a start that cannot succeed says why in one line and exits with 1', () => {
  test.each<[string, { args?: string[]; env?: Record<string, string> }, RegExp]>([
    ['a broken setting', { env: { Throttle__ConcurrencyLimit: 'abc' } }, /Throttle:ConcurrencyLimit.*abc/],
    [
      'an unknown flag',
      { args: ['--prot', '1'] },
      /'--prot'\. Did you mean --port\? See: npm start -- --help/,
    ],
    ['a port that is none', { args: ['--port', '70000'] }, /--port.*"70000"/],
    ['a word that belongs to no flag', { args: ['fresh'] }, /'fresh'\. See: npm start -- --help/],
    [
      'endpoints for some of the stores only',
      { env: { AWS_ENDPOINT_URL_S3: 'http://localhost:1' } },
      /AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_SQS must be set too/,
    ],
    [
      'a DynamoDB that is none',
      { env: { Local__Dynamo: 'gcp' } },
      /Local__Dynamo is aws or unset, not "gcp"/,
    ],
    [
      'a ready file in a folder that is not there',
      { args: ['--ready-file', '/no/such/folder/ready'] },
      /^--ready-file \/no\/such\/folder\/ready cannot be written: ENOENT/,
    ],
    [
      'a ready file that is a folder',
      { args: ['--ready-file', '/tmp'] },
      /\/tmp cannot be written: it is a folder/,
    ],
  ])('%s', async (_name, wish, line) => {
    const engine = await startEngineProcess(wish);
    expect(await engine.exited).toBe(1);
    expect(engine.printed.out).toBe('');
    expect(engine.printed.error).toMatch(/^[^\n]+\n$/);
    expect(engine.printed.error).toMatch(line);
  });

  test.each([[[]], [['--fresh']]])(
    "a folder with someone else's files, which stay as they are (flags: %s)",
    async (args) => {
      const dataDir = aForeignFolder();
      const engine = await startEngineProcess({ dataDir, args });
      expect(await engine.exited).toBe(1);
      expect(engine.printed.error).toMatch(/^[^\n]* holds files that are not Sinete's[^\n]*\n$/);
      expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
    },
  );

  test('a log that is a folder', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'sinete-data.json'), '{}');
    mkdirSync(join(dataDir, 'engine.log'));
    const engine = await startEngineProcess({ dataDir });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(/^The log [^\n]*engine\.log cannot be opened: EISDIR[^\n]*\n$/);
    expect(existsSync(join(dataDir, 'engine.lock'))).toBe(false);
  });

  test('data that is broken, with the folder it is in', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'sinete-data.json'), '{}');
    mkdirSync(join(dataDir, 'store'));
    writeFileSync(join(dataDir, 'store', 'store.db'), 'no database'.repeat(100));
    const engine = await startEngineProcess({ dataDir });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(
      /^The stores in [^\n]* could not be opened: [^\n]*store\.db is damaged: [^\n]*--fresh[^\n]*\n$/,
    );
  });

  test.each(['dynamodb', 's3-and-sqs'])('data of an earlier version of the engine: %s', async (folder) => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'sinete-data.json'), '{}');
    mkdirSync(join(dataDir, folder));
    const engine = await startEngineProcess({ dataDir });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(/^The data in [^\n]* earlier version [^\n]*--fresh[^\n]*\n$/);
  });

  test('a notification that the engine would not send, with its file, resource and property', async () => {
    const root = repositoryWith('batch.yml', (text) =>
      text.replace('Event: s3:ObjectCreated:*', 'Event: s3:ObjectRemoved:*'),
    );
    const engine = await startEngineProcess({ root });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(
      /^infra\/batch\.yml: BatchBucket: NotificationConfiguration\.QueueConfigurations\.0\.Event: s3:ObjectRemoved:\* is not emitted here[^\n]*\n$/,
    );
  });

  test('a data folder that cannot be made', async () => {
    const engine = await startEngineProcess({ dataDir: '/dev/null/data' });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(/^The data folder \/dev\/null\/data cannot be used: [^\n]*\n$/);
  });

  test('dependencies that were never installed', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'infra/local'), { recursive: true });
    copyFileSync('infra/local/start.mjs', join(root, 'infra/local/start.mjs'));
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'infra/local/start.mjs')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Run `npm ci` first.\n' });
    expect(existsSync(join(root, '.local'))).toBe(false);
  });
});
