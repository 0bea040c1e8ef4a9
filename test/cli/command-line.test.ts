import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { fileReason, requireFile } from '../../cli/arguments/named-file.ts';
import { enterCallersFolder } from '../../cli/terminal/start.ts';
import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { command } from '../infra/child.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sinete-words-')));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('the words of a command', () => {
  const read = (...args: string[]) =>
    parseCommandLine({ args, options: { out: { type: 'string' }, ...HELP } }, 'npm run it -- --help');

  test('ask for help in two ways', () => {
    expect([read('--help').values.help, read('-h').values.help, read().values.help]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test.each([
    ['--colour', "Unknown option '--colour'"],
    ['there', "Unexpected argument 'there'"],
    ['--hlep', "Unknown option '--hlep'. Did you mean --help?"],
    ['--out', "Option '--out <value>' argument missing"],
  ])('%s is refused in one line that says where the right ones are', (word, what) => {
    const line = `${what.endsWith('?') ? what : `${what}.`} See: npm run it -- --help`;
    expect(() => read(word)).toThrow(expect.objectContaining({ message: line }));
  });

  test.each([
    ['infra/build/package.ts', 'npm run package -- [--service SERVICE]'],
    ['infra/local/start.mjs', 'npm start -- [options]'],
  ])('%s answers --help, and does nothing else', async (script, usage) => {
    expect(await command(script)('--help')).toEqual({
      code: 0,
      out: expect.stringContaining(usage),
      error: '',
    });
  });
});

describe('a file that someone names', () => {
  test('is told by its whole path and its option where it cannot be read', () => {
    expect(() => requireFile('not-there.p12', { option: '--p12' })).toThrow(
      `--p12 ${join(process.cwd(), 'not-there.p12')} cannot be read: there is no such file.`,
    );
    expect(() => requireFile(folder)).toThrow(`${folder} cannot be read: it is a folder. Name a file.`);
  });

  test.each([
    ['EACCES', /no permission/],
    ['EROFS', /Name another place/],
    ['ENOSPC', /the disk is full/],
    ['EMFILE', /^too many open files$/],
  ])('%s is told in words', (code, words) => {
    expect(fileReason(Object.assign(new Error('too many open files'), { code }))).toMatch(words);
  });

  test('is looked for where the caller stands, and not where npm runs its scripts', () => {
    const chdir = vi.spyOn(process, 'chdir').mockImplementation(() => {});
    vi.stubEnv('INIT_CWD', folder);
    vi.stubEnv('npm_lifecycle_event', 'test');
    enterCallersFolder('sign');
    expect(chdir).not.toHaveBeenCalled();
    vi.stubEnv('npm_lifecycle_event', 'sign');
    enterCallersFolder('sign');
    expect(chdir).toHaveBeenCalledExactlyOnceWith(folder);
  });
});
