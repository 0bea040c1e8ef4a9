import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../../infra/build/build.ts';
import { echoHandler, sampleRepository } from '../sample-repository.ts';

let root: string;

// What a function holds that is loaded on demand: too large to be read at every cold start.
const HEAVY_BYTES = 1_100_000;

beforeAll(async () => {
  root = await sampleRepository({
    'functions/session/domain/greeting.ts': `export class Greeting extends Error { name = 'Greeting'; }\n`,
    'functions/session/endpoints/greet.ts': `import { Greeting } from '../domain/greeting.ts';
      import settings from '../settings.json' with { type: 'json' };
      export const handler = async () => ({ told: settings.word, by: new Greeting().name });\n`,
    'functions/session/settings.json': `{ "word": "bom dia" }`,
    'functions/session/endpoints/part.ts': `import { Greeting } from '../domain/greeting.ts';
      import old from './old.cjs';
      export const handler = async () => ({ old: old(), same: new Greeting().name });\n`,
    'functions/session/endpoints/old.cjs': `module.exports = () => require('node:path').basename('a/b');\n`,
    'functions/session/endpoints/get-reference.ts': echoHandler('reference'),
    'functions/hub/workers/sweep.ts': echoHandler('sweep'),
    'functions/pki/endpoints/weigh.ts': `export const handler = async () =>
      ({ weighs: (await import('../domain/heavy.ts')).heavy.length });\n`,
    'functions/pki/domain/heavy.ts': `export const heavy = '${'x'.repeat(HEAVY_BYTES)}';
      await Promise.resolve();\n`,
    'functions/pki/endpoints/double.ts': `import { doubled } from '../domain/doubling/doubled.ts';
      export const handler = async () => ({ doubled: await doubled(21) });\n`,
    'functions/pki/endpoints/treble.ts': `import { doubled } from '../domain/doubling/doubled.ts';
      export const handler = async () => ({ trebled: (await doubled(14)) + 14 });\n`,
    'functions/pki/domain/doubling/doubled.ts': `import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      const place = import.meta.url.endsWith('.ts') ? './thread.ts' : '../pki.threads/doubling.mjs';
      export const doubled = async (number: number) => {
        const worker = new Worker(new URL(place, import.meta.url), { workerData: number });
        return (await once(worker, 'message'))[0] as number;
      };\n`,
    'functions/pki/domain/doubling/thread.ts': `import { parentPort, workerData } from 'node:worker_threads';
      parentPort?.postMessage(2 * workerData);\n`,
    'functions/sandbox/endpoints/receive.ts': echoHandler('receive'),
  });
});

afterAll(() => rm(root, { recursive: true, force: true }));

const run = async (file: string): Promise<unknown> => {
  const { handler } = (await import(pathToFileURL(file).href)) as { handler: () => Promise<unknown> };
  return handler();
};

/** What a zip holds beyond what the functions of a service share. */
const ownFiles = (zipped: object): string[] =>
  Object.keys(zipped).filter((path) => !/^dist\/\w+\.parts\//.test(path));

test('a deployed function is its own file and what it shares with its service, JSON and CommonJS included', async () => {
  const outdir = join(root, 'out-deployed');
  const bundles = await build({ local: false, outdir, root });

  expect(bundles.map(({ service, name }) => `${service}/${name}`)).toEqual([
    'hub/sweep',
    'pki/double',
    'pki/treble',
    'pki/weigh',
    'session/get-reference',
    'session/greet',
    'session/part',
  ]);
  expect((await readdir(join(outdir, 'dist'))).sort()).toEqual([
    'hub',
    'hub.sweep.zip',
    'pki',
    'pki.double.zip',
    'pki.parts',
    'pki.threads',
    'pki.treble.zip',
    'pki.weigh.zip',
    'session',
    'session.get-reference.zip',
    'session.greet.zip',
    'session.part.zip',
    'session.parts',
  ]);
  expect(await run(join(outdir, 'dist/session/greet.mjs'))).toEqual({ told: 'bom dia', by: 'Greeting' });
  expect(await run(join(outdir, 'dist/session/part.mjs'))).toEqual({ old: 'b', same: 'Greeting' });
});

test('a zip holds its function at the path that the handler names, and the same code gives the same bytes', async () => {
  const zips = await Promise.all(
    ['out-first', 'out-second'].map(async (name) => {
      await build({ local: false, outdir: join(root, name), services: ['hub'], root });
      return readFile(join(root, name, 'dist/hub.sweep.zip'));
    }),
  );
  expect(Object.keys(unzipSync(zips[0] ?? Buffer.of()))).toEqual([
    'dist/hub/sweep.mjs',
    'dist/hub/sweep.mjs.map',
  ]);
  expect(zips[0]).toEqual(zips[1]);
});

test('what a function loads on demand is a file apart, which its zip holds', async () => {
  const outdir = join(root, 'out-apart');
  const bundles = await build({ local: false, outdir, services: ['pki'], root });
  const weigh = bundles.find(({ name }) => name === 'weigh');
  expect(weigh?.bytes).toBeLessThan(10_000);
  expect(weigh?.later.map(({ path }) => path)).toEqual([
    expect.stringMatching(/^pki\.parts\/heavy-\w+\.mjs$/),
  ]);

  const files = unzipSync(await readFile(join(outdir, 'dist/pki.weigh.zip')));
  const held = [...(weigh?.first ?? []), ...(weigh?.later ?? [])].map(({ path }) => `dist/${path}`);
  expect(Object.keys(files)).toEqual(held.flatMap((path) => [path, `${path}.map`]));
  expect(await run(join(outdir, 'dist/pki/weigh.mjs'))).toEqual({ weighs: HEAVY_BYTES });
});

test('what is loaded on demand breaks off no file of what all functions of a service read first', async () => {
  const later = (name: string) => `import { ${name} } from './${name}.ts';
    export const later = () => ${name}();\n`;
  const house = await sampleRepository({
    'functions/hub/service.ts': `import { one } from './domain/one.ts';
      import { two } from './domain/two.ts';
      export const first = () => one() + two();\n`,
    'functions/hub/domain/one.ts': `const made = { count: 0 };
      export const one = () => ++made.count;\n`,
    'functions/hub/domain/two.ts': `const made = { count: 10 };
      export const two = () => ++made.count;\n`,
    'functions/hub/domain/later-one.ts': later('one'),
    'functions/hub/domain/later-two.ts': later('two'),
    'functions/hub/endpoints/count.ts': `import { first } from '../service.ts';
      export const handler = async () => [
        first(),
        (await import('../domain/later-one.ts')).later(),
        (await import('../domain/later-two.ts')).later(),
      ];\n`,
  });
  const [count] = await build({ local: false, outdir: house, services: ['hub'], root: house });
  expect(count?.first.map(({ path }) => path)).toEqual([
    'hub/count.mjs',
    expect.stringMatching(/^hub\.parts\/chunk-\w+\.mjs$/),
  ]);
  // The later parts have the same instances of what was read first.
  expect(await run(join(house, 'dist/hub/count.mjs'))).toEqual([12, 2, 12]);
  const maps = await Promise.all(
    count?.later.map(({ path }) => readFile(join(house, `dist/${path}.map`), 'utf8')) ?? [],
  );
  expect(maps.filter((map) => map.includes(house))).toEqual([]);
  await rm(house, { recursive: true, force: true });
});

test('the artifacts of a service are the same whichever services are built along with it', async () => {
  const zips = await Promise.all(
    [undefined, ['session']].map(async (services) => {
      const outdir = join(root, `out-along-${services ?? 'all'}`);
      await build({ local: false, outdir, root, ...(services && { services }) });
      return readFile(join(outdir, 'dist/session.greet.zip'));
    }),
  );
  expect(zips[0]).toEqual(zips[1]);
});

test.each([true, false])(
  'a thread is a file of its own, which the functions that begin it find (local: %s)',
  async (local) => {
    const outdir = join(root, `out-threads-${local}`);
    await build({ local, outdir, services: ['pki'], root });
    expect(await run(join(outdir, 'dist/pki/double.mjs'))).toEqual({ doubled: 42 });
    expect(await run(join(outdir, 'dist/pki/treble.mjs'))).toEqual({ trebled: 42 });
    if (local) return;
    const inZip = async (name: string) =>
      Object.keys(unzipSync(await readFile(join(outdir, `dist/pki.${name}.zip`))));
    expect(await inZip('double')).toContain('dist/pki.threads/doubling.mjs');
    expect(await inZip('weigh')).not.toContain('dist/pki.threads/doubling.mjs');
  },
);

test('every zip carries the roots to trust, where the settings name them', async () => {
  const house = await sampleRepository({
    'functions/hub/workers/sweep.ts': echoHandler('sweep'),
    'trust/icp-brasil.pem': 'roots',
  });
  await build({ local: false, outdir: house, services: ['hub'], root: house });
  const files = unzipSync(await readFile(join(house, 'dist/hub.sweep.zip')));
  expect(Object.keys(files).toSorted()).toEqual([
    'dist/hub/sweep.mjs',
    'dist/hub/sweep.mjs.map',
    'trust/icp-brasil.pem',
  ]);
  await rm(house, { recursive: true, force: true });
});

test('only get-reference carries the reference page, compressed', async () => {
  const outdir = join(root, 'out-reference');
  await build({ local: false, outdir, services: ['session'], root });

  const files = unzipSync(await readFile(join(outdir, 'dist/session.get-reference.zip')));
  expect(ownFiles(files)).toEqual([
    'dist/session/get-reference.mjs',
    'dist/session/get-reference.mjs.map',
    'dist/session/scalar.js.gz',
  ]);
  const viewer = gunzipSync(files['dist/session/scalar.js.gz'] ?? Buffer.of());
  expect(viewer.length).toBeGreaterThan(3_000_000);
  expect(viewer.includes('createApiReference')).toBe(true);

  const other = unzipSync(await readFile(join(outdir, 'dist/session.greet.zip')));
  expect(ownFiles(other)).toEqual(['dist/session/greet.mjs', 'dist/session/greet.mjs.map']);
});

test('a local build shares code between functions, keeps source maps, and holds the sandbox', async () => {
  const outdir = join(root, 'out-local');
  const bundles = await build({ local: true, outdir, root });

  expect(bundles.map(({ service }) => service)).toContain('sandbox');
  expect(existsSync(join(outdir, 'dist/session/greet.mjs.map'))).toBe(true);
  expect(existsSync(join(outdir, 'dist/session/scalar.js.gz'))).toBe(true);
  expect(await readdir(join(outdir, 'dist/chunks'))).not.toHaveLength(0);
  expect(await run(join(outdir, 'dist/session/part.mjs'))).toEqual({ old: 'b', same: 'Greeting' });
});

test('building one service leaves the bundles of another, and removes its own old ones', async () => {
  const outdir = join(root, 'out-one');
  await build({ local: false, outdir, root });
  await rm(join(root, 'functions/session/endpoints/part.ts'));
  await build({ local: false, outdir, services: ['session'], root });

  expect(existsSync(join(outdir, 'dist/hub.sweep.zip'))).toBe(true);
  expect(existsSync(join(outdir, 'dist/session/part.mjs'))).toBe(false);
  expect(existsSync(join(outdir, 'dist/session.part.zip'))).toBe(false);
});

test('a build error is one line that names the file, the place and the cause', async () => {
  const broken = await sampleRepository({
    'functions/hub/endpoints/a.ts': `import { b } from './missing.ts';\nimport { c } from './gone.ts';\nexport const handler = () => b(c);\n`,
  });
  await expect(build({ local: true, outdir: broken, root: broken })).rejects.toThrow(
    /^The build failed: functions\/hub\/endpoints\/a\.ts:1:19: Could not resolve "\.\/missing\.ts" \(and 1 more\)$/,
  );
  await rm(broken, { recursive: true, force: true });
});

test.each([true, false])(
  'every function of a service imports its on-start.ts first, and no other one does (local: %s)',
  async (local) => {
    const started = (name: string) => `export const handler = async () => [globalThis.started, '${name}'];\n`;
    const house = await sampleRepository({
      'functions/hub/on-start.ts': `globalThis.started = 'hub';\n`,
      'functions/hub/endpoints/a.ts': `const at = globalThis.started;\nexport const handler = async () => [at, 'a'];\n`,
      'functions/hub/workers/b.ts': started('b'),
      'functions/pki/endpoints/c.ts': started('c'),
    });
    await build({ local, outdir: house, root: house });
    const runAlone = async (path: string) => {
      const call = `console.log(JSON.stringify(await (await import('${join(house, 'dist', path)}')).handler()))`;
      const args = ['--input-type=module', '--eval', call];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    };
    expect(await Promise.all(['hub/a.mjs', 'hub/b.mjs', 'pki/c.mjs'].map(runAlone))).toEqual([
      ['hub', 'a'],
      ['hub', 'b'],
      [null, 'c'],
    ]);
    await rm(house, { recursive: true, force: true });
  },
);

test.each([true, false])(
  'the endpoints of a router are files apart and no functions, and only the public one does without on-start.ts (local: %s)',
  async (local) => {
    const router = (endpoint: string) =>
      `const started = globalThis.started;
      export const handler = async () => [started, await (await import('../endpoints/${endpoint}.ts')).handler()];\n`;
    const house = await sampleRepository({
      'functions/hub/on-start.ts': `globalThis.started = 'hub';\n`,
      'functions/hub/routers/pages.ts': router('show'),
      'functions/hub/routers/public.ts': router('get-reference'),
      'functions/hub/endpoints/show.ts': `export const handler = async () => 'shown';\n`,
      'functions/hub/endpoints/get-reference.ts': `export const handler = async () => 'read';\n`,
    });
    const bundles = await build({ local, outdir: house, root: house });
    expect(bundles.map(({ name, routes }) => [name, routes.map(([first]) => first?.path)])).toEqual([
      ['pages', [expect.stringMatching(/\/show-\w+\.mjs$/)]],
      ['public', [expect.stringMatching(/\/get-reference-\w+\.mjs$/)]],
    ]);
    const runAlone = async (name: string) => {
      const call = `console.log(JSON.stringify(await (await import('${join(house, 'dist/hub', name)}')).handler()))`;
      const args = ['--input-type=module', '--eval', call];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    };
    expect(await runAlone('pages.mjs')).toEqual(['hub', 'shown']);
    expect(await runAlone('public.mjs')).toEqual([null, 'read']);
    // What an endpoint reads is in the service's folder, whichever file the endpoint is in.
    expect(existsSync(join(house, 'dist/hub/scalar.js.gz'))).toBe(true);
    if (!local)
      expect(Object.keys(unzipSync(await readFile(join(house, 'dist/hub.pages.zip'))))).not.toContain(
        'dist/hub/scalar.js.gz',
      );
    await rm(house, { recursive: true, force: true });
  },
);

test('the log of a deployed function names the places of its sources, not those of its bundle', async () => {
  const outdir = join(root, 'out-mapped');
  const house = await sampleRepository({
    'functions/hub/endpoints/fail.ts': `import { logger } from '../../../shared/log/logger.ts';
      const refuse = (): never => {
        throw new Error('lost');
      };
      export const handler = async () => {
        try {
          refuse();
        } catch (error) {
          logger('hub').error('It failed.', { error });
        }
      };\n`,
  });
  await build({ local: false, outdir, services: ['hub'], root: house });
  const files = unzipSync(await readFile(join(outdir, 'dist/hub.fail.zip')));
  const map: { sources: string[]; sourcesContent?: unknown } = JSON.parse(
    Buffer.from(files['dist/hub/fail.mjs.map'] ?? []).toString(),
  );
  expect(map.sourcesContent).toBeUndefined();

  // In a process of its own: the test runner reads source maps too.
  const call = `(await import('${join(outdir, 'dist/hub/fail.mjs')}')).handler()`;
  const { stderr, stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    call,
  ]);
  const { error }: { error: { stack: string } } = JSON.parse(stdout || stderr);
  expect(error.stack).toMatch(/functions\/hub\/endpoints\/fail\.ts:3:\d+/);
  expect(error.stack).not.toContain('fail.mjs');
  await rm(house, { recursive: true, force: true });
});
