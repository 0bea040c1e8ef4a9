import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Everything that a bundle is made of or by. The lock file stands for the dependencies.
const SOURCES = [
  ...['functions/**/*', 'shared/**/*', 'trust/**/*'],
  ...['infra/*.ts', 'infra/build/*.ts', 'infra/plugins/*.ts'],
];
const ALONE = ['package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * The hash of all that the functions are built from, and of what else a build depends on. Paths begin with a slash below
 * the root; those that match `without` are left out.
 * @example const fingerprint = await hashSources(root, { besides: process.version });
 */
export async function hashSources(root: string, { besides = '', without = /^$/ } = {}): Promise<string> {
  const found = globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = [
    ...found.map(({ parentPath, name }) => join(parentPath, name)),
    ...ALONE.map((name) => join(root, name)),
  ];
  const hash = createHash('sha256').update(besides);
  for (const path of paths.filter((each) => !without.test(each.slice(root.length))).toSorted())
    hash.update(`\0${path.slice(root.length)}\0`).update(await readFile(path).catch(() => ''));
  return hash.digest('hex').slice(0, 32);
}

/**
 * The name of a build: the version of the package, and the first digits of the hash of its sources. Two builds of the same
 * sources have the same name.
 * @example await buildName(root) // '0.1.0.3f9a2b1c'
 */
export async function buildName(root: string): Promise<string> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const { version = '0.0.0' } = JSON.parse(text) as { readonly version?: string };
  return `${version}.${(await hashSources(root)).slice(0, 8)}`;
}
