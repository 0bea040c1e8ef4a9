import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const importers = (files: string[], name: string): string[] => {
  const pattern = new RegExp(`(?:\\bfrom|\\bimport|\\brequire)\\s*\\(?\\s*['"]${name}(?:/[^'"]*)?['"]`);
  return files.filter((path) => pattern.test(readFileSync(path, 'utf8'))).toSorted();
};
const SOURCES = globSync(
  ['agent', 'cli', 'examples', 'functions', 'infra', 'shared'].map((root) => `${root}/**/*.{ts,mjs}`),
);
// PKI.js and its encoder issue for the sandbox and for tests: nothing that is deployed or installed at a user's may
// rest on a development dependency.
const ISSUING = ['pkijs', 'asn1js'];

test.each(ISSUING)('the sandbox issues with %s, and no other source imports it', (name) => {
  const users = importers(SOURCES, name);
  expect(users).toContain('functions/sandbox/authority/domain/issuing/pkijs.ts');
  expect(users.filter((path) => !path.startsWith('functions/sandbox/authority/'))).toEqual([]);
});

// jsrsasign has had no support since June 2026: it reads what others issued, in one test.
test('jsrsasign is a second opinion in one test, and nothing else imports it', () => {
  expect(importers(SOURCES, 'jsrsasign')).toEqual([]);
  expect(importers(globSync('test/**/*.ts'), 'jsrsasign')).toEqual([
    'test/functions/sandbox/authority/second-opinion/read.ts',
  ]);
});

// A file of theirs may import one of the sandbox, as the agent does for the sandbox's holders.
test.each([
  ['the agent', ['agent/sinete-agent.mjs']],
  ['the command line', globSync('cli/*/{admin,open,sign,verify}.ts')],
])('%s reaches no issuing library through imports of theirs', async (_, entryPoints) => {
  const reached = await packagesReached(entryPoints);
  expect([...ISSUING, 'jsrsasign'].filter((name) => reached.includes(name))).toEqual([]);
});

test('an import of them is seen through other files', async () => {
  expect(await packagesReached(['infra/local/seed/authority.ts'])).toEqual(expect.arrayContaining(ISSUING));
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
