import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'sinete-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Loaded with import(), the XML library never finishes loading inside one bundle: a function would hang until its
// time-out. In the source, and in bundles that are split, nothing of it shows.
test('the XML library loads in one bundle file, as functions are deployed', async () => {
  const outfile = join(folder, 'function.mjs');
  await build({
    stdin: {
      contents: `import { openXml } from './shared/signing/xades/xml/tree.ts';
        console.log(openXml(Buffer.from('<loaded/>')).parsed(({ root }) => root.name));`,
      resolveDir: process.cwd(),
    },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', target: 'node24', minify: true },
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'silent',
  });
  expect(spawnSync(process.execPath, [outfile], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: 'loaded\n',
  });
});
