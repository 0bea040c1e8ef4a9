import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce, CACHE } from '../../../../infra/local/engine/build-cache.ts';

let root: string;
let built: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sinete-built-'));
  built = [];
  mkdirSync(join(root, CACHE), { recursive: true });
  write('functions/session/endpoints/get-status.ts', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A start, whose build says what it was made of. */
async function started(outdir: string): Promise<string> {
  await buildOnce({ root, outdir: join(root, outdir) }, async () => {
    const source = readFileSync(join(root, 'functions/session/endpoints/get-status.ts'), 'utf8');
    built.push(source);
    write(`${outdir}/dist/session/get-status.mjs`, source);
  });
  return readFileSync(join(root, outdir, 'dist/session/get-status.mjs'), 'utf8');
}

describe('what was built before', () => {
  test('is taken for another start of the same sources', async () => {
    expect([await started('a'), await started('b'), await started('a')]).toEqual(['one', 'one', 'one']);
    expect(built).toEqual(['one']);
  });

  test.each([
    'functions/session/endpoints/get-status.ts',
    'shared/new.ts',
    'package-lock.json',
    'trust/root.crt',
  ])('is not taken once %s is another', async (path) => {
    await started('a');
    write(path, 'two');
    await started('a');
    expect(built).toHaveLength(2);
  });

  test('replaces all that a folder had', async () => {
    await started('a');
    write('b/dist/session/removed.mjs', 'of an older build');
    await started('b');
    expect(readdirSync(join(root, 'b/dist/session'))).toEqual(['get-status.mjs']);
  });

  test('is kept for a few changes, the last used ones', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      write('functions/session/endpoints/get-status.ts', text);
      await started('a');
    }
    expect(readdirSync(join(root, CACHE, 'builds'))).toHaveLength(3);
  });

  test('is not there after a build that failed', async () => {
    const failing = buildOnce({ root, outdir: join(root, 'a') }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await started('a');
    expect(built).toEqual(['one']);
  });
});
