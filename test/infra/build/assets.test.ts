import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Assets, buildAssets, servedBy } from '../../../infra/build/assets.ts';
import { build } from '../../../infra/build/build.ts';
import { echoHandler, sampleRepository } from '../sample-repository.ts';

let root: string;
let assets: Assets;

const PAGE = 'functions/session/pages/browser/approve.ts';

beforeAll(async () => {
  root = await sampleRepository({
    [PAGE]: `import { told } from './approve/told.ts';
      document.title = told; export const later = () => import('./approve/heavy.ts');\n`,
    'functions/session/pages/browser/approve/told.ts': `export const told: string = 'told';\n`,
    'functions/session/pages/browser/approve/heavy.ts': `export const heavy = 'a heavy part';\n`,
    'functions/session/pages/styles/approve.css': `.approve { color: red }\n`,
    'functions/hub/pages/styles/choose.css': `.choose { color: red }\n`,
    'functions/session/endpoints/get-asset.ts': echoHandler('assets'),
    'functions/session/endpoints/get-page.ts': `declare const SINETE_ASSETS: object;
      export const handler = async () => SINETE_ASSETS;\n`,
  });
  assets = await buildAssets(root, ['session']);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const contentOf = (name: string): string => {
  const file = assets.files.find((each) => each.name === name);
  return file ? gunzipSync(file.compressed).toString() : '';
};

describe('the assets that the build makes', () => {
  test('are called by their service and file, and served under a name that holds their hash', () => {
    expect(Object.keys(assets.names).toSorted()).toEqual([
      'common.css',
      'session-approve.css',
      'session-approve.js',
    ]);
    expect(assets.names['session-approve.js']).toMatch(/^session-approve-[A-Z0-9]{8}\.js$/);
    expect(contentOf(assets.names['session-approve.js'] ?? '')).toContain('told');
    expect(contentOf(assets.names['session-approve.css'] ?? '')).toContain('.approve{');
  });

  test('leave what is loaded on demand in a file of its own', () => {
    const heavy = assets.files.filter(({ name }) => contentOf(name).includes('a heavy part'));
    expect(heavy.map(({ name }) => name)).toEqual([expect.stringMatching(/^heavy-/)]);
    expect(contentOf(assets.names['session-approve.js'] ?? '')).toContain(heavy[0]?.name);
  });

  test('have the same bytes when built again, and another name once their content is another', async () => {
    expect(await buildAssets(root, ['session'])).toEqual(assets);
    await writeFile(join(root, PAGE), `document.title = 'changed';\n`);
    const { names } = await buildAssets(root, ['session']);
    expect(names['session-approve.js']).not.toBe(assets.names['session-approve.js']);
    expect(names['session-approve.css']).toBe(assets.names['session-approve.css']);
  });

  test('are beside get-asset alone, and named by the pages that were built with them', async () => {
    await build({ local: false, outdir: join(root, 'out'), services: ['session'], root });
    const { names, files } = await buildAssets(root, ['session']);
    const inZip = async (name: string) =>
      Object.keys(unzipSync(await readFile(join(root, `out/dist/session.${name}.zip`)))).filter(
        (path) => !path.startsWith('dist/session.parts/') && !path.endsWith('.map'),
      );
    expect(await inZip('get-asset')).toEqual([
      'dist/session/get-asset.mjs',
      ...files.map(({ name }) => `dist/session/assets/${name}.gz`),
    ]);
    expect(await inZip('get-page')).toEqual(['dist/session/get-page.mjs']);
    const { handler } = (await import(join(root, 'out/dist/session/get-page.mjs'))) as {
      handler: () => Promise<unknown>;
    };
    expect(await handler()).toEqual(names);
  });

  test('are those of the services that are built, and a service serves its own and the house’s', async () => {
    const both = await buildAssets(root, ['hub', 'session']);
    expect(Object.keys(both.names)).toContain('hub-choose.css');
    expect(servedBy('hub', both).map(({ name }) => name)).toEqual(
      [both.names['common.css'], both.names['hub-choose.css']].toSorted(),
    );
  });

  test('of the reader are with those services alone whose pages show documents', async () => {
    const reading = await sampleRepository({
      'functions/hub/pages/styles/choose.css': `.choose { color: red }\n`,
      [PAGE]: `import { mountReaders } from '../../../../shared/ui/browser/reader/mount.ts';
        mountReaders(document);\n`,
    });
    const both = await buildAssets(reading, ['hub', 'session']);
    await rm(reading, { recursive: true, force: true });
    expect(Object.keys(both.names)).toEqual(
      expect.arrayContaining(['reader.css', 'pdf-worker.js', 'pdf-decoder.js']),
    );
    const served = servedBy('session', both).map(({ name }) => name);
    const of = (part: RegExp) => served.filter((name) => part.test(name)).length;
    // By its version a data file of pdf.js is kept for ever.
    expect(of(/^pdfjs-[\d-]+-LiberationSans-Regular\.ttf$/)).toBe(1);
    expect(of(/^pdfjs-.*\.bcmap$/)).toBeGreaterThan(100);
    for (const part of [/^reader-.*\.css$/, /^pdf-worker-/, /^openjpeg_nowasm/, /^jbig2_nowasm/])
      expect([part, of(part)]).toEqual([part, 1]);
    expect(servedBy('hub', both).map(({ name }) => name)).toEqual(
      [both.names['common.css'], both.names['hub-choose.css']].toSorted(),
    );
  });

  test('that do not build stop it with one line', async () => {
    await writeFile(join(root, PAGE), `import { gone } from './gone.ts';\ngone();\n`);
    await expect(buildAssets(root, ['session'])).rejects.toThrow(
      /^The build failed: functions\/session\/pages\/browser\/approve\.ts:1:22: Could not resolve/,
    );
  });
});
