import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installedBytes } from '../../../infra/install/size.ts';

const { allowScripts, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { name?: string; hasInstallScript?: boolean; dev?: boolean }>;
};

test('npm knows of every package with an install script whether it may run', () => {
  const named = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(named.filter((name) => name !== '' && !(name in allowScripts) && name !== 'fsevents')).toEqual([]);
});

test('the Node of the repository is no part of an installation for production', () => {
  expect(devDependencies.node).toBeDefined();
  expect(packages['node_modules/node']?.dev).toBe(true);
});

test('the size of production leaves out what is for development, and both leave out caches', () => {
  const root = mkdtempSync(join(tmpdir(), 'install-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const MB = 1024 * 1024;
  const write = (path: string, megabytes: number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), Buffer.alloc(megabytes * MB, 1));
  };
  write('node_modules/run/index.js', 2);
  write('node_modules/run/node_modules/tool/index.js', 3);
  write('node_modules/@scope/tool/index.js', 4);
  write('node_modules/.cache/kept', 5);
  const lock = {
    packages: {
      '': {},
      'node_modules/run': {},
      'node_modules/run/node_modules/tool': { devOptional: true },
      'node_modules/@scope/tool': { dev: true },
    },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  const { whole, production } = installedBytes(root);
  expect([whole, production].map((bytes) => Math.floor(bytes / MB))).toEqual([9, 2]);
});
