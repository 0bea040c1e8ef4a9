import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Manifest = Readonly<
  Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Readonly<Record<string, string>>>
>;

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The packages that the first cells of each table name. A table of packages begins with that word. */
const tables = readFileSync('docs/libraries.md', 'utf8')
  .split(/^\| Package .*\n\| ---.*\n/m)
  .slice(1)
  .map((table) => {
    const rows = table
      .slice(0, table.search(/^(?!\|)/m))
      .trim()
      .split('\n');
    return rows.map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  });
const packagesOf = (rows: readonly (readonly string[])[]): string[] =>
  rows.flatMap(([names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

test.each([
  ['dependencies', 0],
  ['optionalDependencies', 1],
  ['devDependencies', 2],
] as const)('docs/libraries.md has every package of %s once, and none that is gone', (kind, at) => {
  expect(packagesOf(tables[at] ?? []).toSorted()).toEqual(Object.keys(manifest[kind]).toSorted());
});

test('every row says what for, why this one, and what was looked at beside it', () => {
  expect(tables).toHaveLength(3);
  const unfinished = tables.flat().filter((cells) => cells.length !== 4 || cells.some((cell) => cell === ''));
  expect(unfinished).toEqual([]);
});
