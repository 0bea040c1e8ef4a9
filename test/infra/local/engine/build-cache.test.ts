import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce, CACHE } from '../../../../infra/local/engine/build-cache.ts';

/** No process has an id this large: the limit of Linux is 2^22. */
const GONE = 2 ** 30;

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
async function started(ownDir = 'own'): Promise<string> {
  const folder = await buildOnce({ root, ownDir: join(root, ownDir) }, async (outdir) => {
    const source = readFileSync(join(root, 'functions/session/endpoints/get-status.ts'), 'utf8');
    built.push(source);
    mkdirSync(join(outdir, 'dist/session'), { recursive: true });
    writeFileSync(join(outdir, 'dist/session/get-status.mjs'), source);
  });
  return folder;
}

const builtIn = (folder: string): string => readFileSync(join(folder, 'dist/session/get-status.mjs'), 'utf8');

const mark = (folder: string, pid: number): void => writeFileSync(join(folder, `used-by-${pid}`), '');

/** The mark of this process goes, as if its engine had ended. */
const leave = (folder: string): void => rmSync(join(folder, `used-by-${process.pid}`));

describe('what was built before', () => {
  test('serves another start of the same sources where it is', async () => {
    const folder = await started('a');
    expect(builtIn(folder)).toBe('one');
    expect(await started('b')).toBe(folder);
    expect(built).toEqual(['one']);
    expect(existsSync(join(root, 'a')) || existsSync(join(root, 'b'))).toBe(false);
  });

  test.each([
    'functions/session/endpoints/get-status.ts',
    'shared/new.ts',
    'package-lock.json',
    'trust/root.crt',
  ])('is not taken once %s is another', async (path) => {
    const before = await started();
    write(path, 'two');
    expect(await started()).not.toBe(before);
    expect(built).toHaveLength(2);
  });

  test('in the data folder, by an earlier version, is removed', async () => {
    write('own/dist/session/get-status.mjs', 'of an older build');
    await started('own');
    expect(existsSync(join(root, 'own'))).toBe(false);
  });

  test('goes into the data folder where it cannot be kept', async () => {
    writeFileSync(join(root, CACHE, 'builds'), 'in the way');
    const folder = await started('own');
    expect(folder).toBe(join(root, 'own'));
    expect(builtIn(folder)).toBe('one');
  });

  test('is kept for a few changes, the last used ones', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      write('functions/session/endpoints/get-status.ts', text);
      leave(await started());
    }
    expect(readdirSync(join(root, CACHE, 'builds'))).toHaveLength(3);
  });

  test('is kept while an engine runs on it, however old it is', async () => {
    const folders: string[] = [];
    for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
      write('functions/session/endpoints/get-status.ts', text);
      const folder = await started();
      leave(folder);
      if (text === 'one') mark(folder, process.ppid);
      if (text === 'two') mark(folder, GONE);
      folders.push(folder);
    }
    const [first = '', second = ''] = folders;
    expect(builtIn(first)).toBe('one');
    expect(existsSync(second)).toBe(false);
  });

  test('is not there after a build that failed', async () => {
    const ownDir = join(root, 'own');
    const failing = buildOnce({ root, ownDir }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(readdirSync(join(root, CACHE, 'builds'))).toEqual([]);
    expect(builtIn(await started())).toBe('one');
  });
});
