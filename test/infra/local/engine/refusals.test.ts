import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, startEngineProcess, temporaryFolder } from './engine-process.ts';

afterAll(cleanUp);

// One for each step of a start that may refuse. What else each step refuses: parts.test.ts, data-folder.test.ts, and those
// of the resources.
describe('a start that cannot succeed says why in one line and exits with 1', () => {
  test.each<[string, { args?: string[]; env?: Record<string, string> }, RegExp]>([
    [
      'an unknown flag',
      { args: ['--prot', '1'] },
      /'--prot'\. Did you mean --port\? See: npm start -- --help/,
    ],
    ['a broken setting', { env: { Throttle__ConcurrencyLimit: 'abc' } }, /Throttle:ConcurrencyLimit.*abc/],
  ])('%s', async (_name, wish, line) => {
    const engine = await startEngineProcess(wish);
    expect(await engine.exited).toBe(1);
    expect(engine.printed.out).toBe('');
    expect(engine.printed.error).toMatch(/^[^\n]+\n$/);
    expect(engine.printed.error).toMatch(line);
  });

  test("a folder with someone else's files, which stay as they are with --fresh", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'thesis.txt'), 'the only copy');
    const engine = await startEngineProcess({ dataDir, args: ['--fresh'] });
    expect(await engine.exited).toBe(1);
    expect(engine.printed.error).toMatch(/^[^\n]* holds files that are not Sinete's[^\n]*\n$/);
    expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
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
    expect(existsSync(join(dataDir, 'engine.lock'))).toBe(false);
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
