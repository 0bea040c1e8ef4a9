import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOTS = ['agent', 'cli', 'clients/typescript/src', 'functions', 'infra', 'shared', 'test'];

// A screen shows so many names at once, and a reader looks at them all.
const MAX_ENTRIES = 25;

// Folders alone are a table of contents: the subjects of shared/, and their tests.
const MAX_FOLDERS = 40;

// Made or compared by programs; nobody looks for one by its name.
const isData = (path: string): boolean => path.endsWith('.png');

/** The sources as git has them, and those that are not committed yet. */
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...ROOTS],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
  .split('\n')
  .filter((path) => path !== '' && !isData(path) && existsSync(path));

type Entries = { readonly files: Set<string>; readonly folders: Set<string> };

function entriesByFolder(paths: readonly string[]): ReadonlyMap<string, Entries> {
  const found = new Map<string, Entries>();
  for (const path of paths) {
    const parts = path.split('/');
    for (const [at, name] of parts.entries()) {
      const folder = parts.slice(0, at).join('/');
      const entries = found.get(folder) ?? { files: new Set(), folders: new Set() };
      found.set(folder, entries);
      (at === parts.length - 1 ? entries.files : entries.folders).add(name);
    }
  }
  return found;
}

const crowded = (paths: readonly string[]): string[] =>
  [...entriesByFolder(paths)]
    .filter(
      ([, { files, folders }]) => files.size + folders.size > (files.size === 0 ? MAX_FOLDERS : MAX_ENTRIES),
    )
    .map(([folder, { files, folders }]) => `${folder}: ${files.size} files, ${folders.size} folders`);

test('the sources of every root are found', () => {
  const empty = ROOTS.filter((root) => !sources.some((path) => path.startsWith(`${root}/`)));
  expect(empty).toEqual([]);
  expect(sources.length).toBeGreaterThan(3_000);
});

test(`a folder has at most ${MAX_ENTRIES} entries, or ${MAX_FOLDERS} that are all folders`, () => {
  expect(crowded(sources)).toEqual([]);
});

test.each([
  ['files', Array.from({ length: MAX_ENTRIES + 1 }, (_, n) => `a/b/${n}.ts`)],
  ['folders beside a file', ['a/b/x.ts', ...Array.from({ length: MAX_ENTRIES }, (_, n) => `a/b/${n}/x.ts`)]],
  ['folders alone', Array.from({ length: MAX_FOLDERS + 1 }, (_, n) => `a/b/${n}/x.ts`)],
])('too many %s are found', (_, paths) => {
  expect(crowded(paths)).toHaveLength(1);
  expect(crowded(paths.slice(0, -1))).toEqual([]);
});
