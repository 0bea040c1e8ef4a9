import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What a user of the product would install to test it. The product's own packages are not among them.
const PACKAGES = new Set(['vitest', 'vitest/node', 'ajv/dist/2020.js', 'ajv-formats', 'playwright-core']);

const files = globSync('test/outside/**/*.ts');

test('nothing of the product is imported by the tests from outside', () => {
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s+|\bimport\(?\s*)'([^']+)'/g)].map(
      ([, name = '']) => [file, name] as const,
    ),
  );
  expect(imported.length).toBeGreaterThan(30);
  const isOwn = (file: string, name: string) =>
    name.startsWith('.') && join(file, '..', name).startsWith('test/outside/');
  const isNode = (name: string) => name.startsWith('node:') && builtinModules.includes(name.slice(5));
  expect(
    imported.filter(([file, name]) => !isOwn(file, name) && !isNode(name) && !PACKAGES.has(name)),
  ).toEqual([]);
});
