import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]jsrsasign(?:\/[^'"]*)?['"]/;
const SOURCES = ['agent', 'cli', 'examples', 'functions', 'infra', 'shared'].map(
  (root) => `${root}/**/*.{ts,mjs}`,
);

// jsrsasign has had no support since June 2026. It is for the sandbox and for tests: nothing that is deployed or
// installed at a user's may rest on it.

test("the sandbox's issuing imports jsrsasign, and no other source outside of the sandbox", () => {
  const users = globSync(SOURCES).filter((path) => IMPORT.test(readFileSync(path, 'utf8')));
  expect(users).toContain('functions/sandbox/authority/domain/issuing/jsrsasign.ts');
  expect(users.filter((path) => !path.startsWith('functions/sandbox/'))).toEqual([]);
});

// A file of theirs may import one of the sandbox, as the agent does for the sandbox's holders.
test.each([
  ['the agent', ['agent/sinete-agent.mjs']],
  ['the command line', globSync('cli/*/{admin,open,sign,verify}.ts')],
])('%s reaches jsrsasign through no import of theirs', async (_, entryPoints) => {
  expect(await packagesReached(entryPoints)).not.toContain('jsrsasign');
});

test('an import of it is seen through other files', async () => {
  expect(await packagesReached(['infra/local/seed/authority.ts'])).toContain('jsrsasign');
});

async function packagesReached(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    outdir: 'unwritten',
    write: false,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  });
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}
