import { globSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { withShortErrors } from './build-failure.ts';

/** The scripts and styles of pages, as they are served. */
export type Assets = {
  /** By the name that pages call them by: `documents-action.js` is served as `documents-action-3KX5J2QA.js`. */
  readonly names: Readonly<Record<string, string>>;
  /** Everything that is served, chunks included, compressed. */
  readonly files: readonly { readonly name: string; readonly compressed: Buffer }[];
};

// What the pages of every service use. The reader of PDFs runs pdf.js in a worker.
const COMMON: readonly string[] = [
  'shared/ui/styles/common.css',
  'shared/ui/styles/reader.css',
  'shared/ui/styles/ways.css',
  'shared/ui/browser/reader/pdf-worker.ts',
];
const sourcesOf = (service: string): string[] => [
  `functions/${service}/**/pages/browser/*.ts`,
  `functions/${service}/**/pages/styles/*.css`,
];

// Browsers of 2023 and newer, all of which know module scripts and dialogs.
const BROWSERS = ['es2022', 'chrome111', 'firefox115', 'safari16.4'];

/**
 * Bundles the scripts and styles of pages. A name holds the hash of its content, so that caches may keep it for ever.
 * @example const { names, files } = await buildAssets('.', ['documents']);
 */
export async function buildAssets(root: string, services: readonly string[]): Promise<Assets> {
  const found = globSync(services.flatMap(sourcesOf), { cwd: root });
  const sources = [...COMMON, ...found.toSorted()];
  const options = {
    absWorkingDir: root,
    entryPoints: sources.map((path) => ({ in: path, out: assetStem(path) })),
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: BROWSERS,
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  } as const satisfies esbuild.BuildOptions;
  const { outputFiles } = await withShortErrors(() => esbuild.build({ ...options }));
  const files = outputFiles
    .map(({ path, contents }) => ({ name: basename(path), compressed: gzipSync(contents, { level: 9 }) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    names: Object.fromEntries(sources.map((source) => [assetName(source), servedAs(source, files)])),
    files,
  };
}

/** The assets that one service serves: its own, the common ones, and their chunks. */
export const servedBy = (service: string, { names, files }: Assets): Assets['files'] => {
  const ofOthers = Object.entries(names)
    .filter(
      ([name]) => !name.startsWith(`${service}-`) && !COMMON.some((source) => assetName(source) === name),
    )
    .map(([, served]) => served);
  return files.filter(({ name }) => !ofOthers.includes(name));
};

// documents-action.js -> documents-action-3KX5J2QA.js
function servedAs(source: string, files: Assets['files']): string {
  const [name, extension] = assetName(source).split('.');
  const found = files.find((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.${extension}$`).test(file.name));
  if (!found) throw new Error(`The build failed: ${source} gave no asset.`);
  return found.name;
}

// functions/documents/pages/browser/action.ts -> documents-action.js
const assetName = (source: string): string =>
  `${assetStem(source)}${extname(source) === '.ts' ? '.js' : extname(source)}`;

function assetStem(source: string): string {
  const [, service] = /^functions\/([^/]+)\//.exec(source) ?? [];
  const name = basename(source, extname(source));
  return service ? `${service}-${name}` : name;
}
