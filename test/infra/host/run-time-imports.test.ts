import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// Types are erased before the program runs.
const IMPORT =
  /(?:^|\n)(?:import|export)\s(?!type\b)[^'"`;]*?from\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|\bimport\('([^']+)'\)/g;

/** The packages that a file needs to run, with the file that names them first. */
function packagesOf(entries: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set(entries);
  for (const file of seen) {
    for (const [, from, alone, later] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = from ?? alone ?? later ?? '';
      if (name.startsWith('.')) seen.add(normalize(join(dirname(file), name)));
      else if (!name.startsWith('node:') && !builtinModules.includes(name))
        packages.set(name.split('/', name.startsWith('@') ? 2 : 1).join('/'), file);
    }
  }
  return packages;
}

const ENTRIES = [
  'infra/host/serve.mjs',
  'infra/host/processes/worker.ts',
  'infra/host/build.ts',
  'cli/admin/admin.ts',
];

test('the host, its build and administration need no package of development: npm ci --omit=dev is enough', () => {
  expect(ENTRIES.filter((entry) => !existsSync(entry))).toEqual([]);
  const found = packagesOf(ENTRIES);
  expect(found.size).toBeGreaterThan(5);
  expect([...found].filter(([name]) => !(name in dependencies))).toEqual([]);
});
