import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

// Writes dist: the client as an ES module and as CommonJS, with the types of both.

const here = import.meta.dirname;
const root = resolve(here, '../..');
const dist = join(here, 'dist');
const run = (...words: string[]) => execFileSync(process.execPath, words, { stdio: 'inherit', cwd: root });

rmSync(dist, { recursive: true, force: true });
run(join(here, 'generate-types.ts'));
run(
  ...['node_modules/typescript/bin/tsc', '--project', here, '--incremental', 'false', '--outDir', dist],
  ...['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'],
);

const bundle = {
  entryPoints: ['index', 'webhooks/index'].map((entry) => join(here, `src/${entry}.ts`)),
  outdir: dist,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
} as const;
await build({ ...bundle, format: 'esm' });
await build({ ...bundle, format: 'cjs', outExtension: { '.js': '.cjs' } });

// Declarations name what they import as the sources do.
for (const entry of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.d.ts')) continue;
  const path = join(dist, entry);
  const text = readFileSync(path, 'utf8');
  const renamed = (extension: string) => text.replaceAll(/(from '\.[^']*)\.ts'/g, `$1.${extension}'`);
  writeFileSync(path.replace(/\.d\.ts$/, '.d.cts'), renamed('cjs'));
  writeFileSync(path, renamed('js'));
}
