import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { pdfDataName } from '../../shared/ui/reader/pdf-data-name.ts';
import { withShortErrors } from './build-failure.ts';

/** The scripts and styles of pages, as they are served. */
export type Assets = {
  /** By the name that pages call them by: `documents-action.js` is served as `documents-action-3KX5J2QA.js`. */
  readonly names: Readonly<Record<string, string>>;
  /** Everything that is served, chunks included, compressed. */
  readonly files: readonly AssetFile[];
  /** The names of the files that a service serves: its own, the common ones, and the chunks that they load. */
  readonly ofService: Readonly<Record<string, readonly string[]>>;
};

type AssetFile = { readonly name: string; readonly compressed: Buffer };

// Every page uses these.
const COMMON: readonly string[] = ['shared/ui/styles/common.css'];

// Pages that show documents use these. pdf.js runs in a worker, and asks for its decoders and data by name.
const READER: readonly string[] = [
  'shared/ui/styles/reader.css',
  'shared/ui/styles/ways.css',
  'shared/ui/browser/reader/pdf-worker.ts',
  'shared/ui/browser/reader/pdf-decoder.ts',
];
const READER_SCRIPT = 'shared/ui/browser/reader/mount.ts';

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
  const sources = services.map((service) => ({
    service,
    paths: globSync(sourcesOf(service), { cwd: root }).toSorted(),
  }));
  const pages = await bundle(root, [...COMMON, ...sources.flatMap(({ paths }) => paths)]);
  const hasReader = sources.some(({ paths }) => pages.reach(paths).inputs.has(READER_SCRIPT));
  const reader = hasReader ? await bundle(root, READER) : undefined;
  const data = hasReader ? compressed(pdfDataFiles()) : [];
  const ofReader = [...(reader?.files ?? []), ...data];
  const namesOf = (files: readonly AssetFile[]) => files.map(({ name }) => name);
  return {
    names: { ...pages.names, ...reader?.names },
    files: [...pages.files, ...ofReader].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ofService: Object.fromEntries(
      sources.map(({ service, paths }) => {
        const { files, inputs } = pages.reach([...COMMON, ...paths]);
        return [service, [...files, ...(inputs.has(READER_SCRIPT) ? namesOf(ofReader) : [])]];
      }),
    ),
  };
}

/** The assets that one service serves. */
export const servedBy = (service: string, { files, ofService }: Assets): Assets['files'] => {
  const served = new Set(ofService[service]);
  return files.filter(({ name }) => served.has(name));
};

/** Bundles sources, each to a file of its own and the chunks that they share. */
async function bundle(root: string, sources: readonly string[]) {
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
    metafile: true,
    // The sample repositories of tests are links to this one.
    preserveSymlinks: true,
    logLevel: 'silent',
  } as const satisfies esbuild.BuildOptions;
  const { outputFiles, metafile } = await withShortErrors(() => esbuild.build({ ...options }));
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (source: string): string => {
    const [path] = outputs.find(([, { entryPoint }]) => entryPoint === source) ?? [];
    if (!path) throw new Error(`The build failed: ${source} gave no asset.`);
    return path;
  };
  /** What a browser may load that has these sources. */
  const reach = (from: readonly string[]) => {
    const [found, inputs] = [new Set<string>(), new Set<string>()];
    const visit = (path: string): void => {
      const output = metafile.outputs[path];
      if (!output || found.has(path)) return;
      found.add(path);
      for (const input of Object.keys(output.inputs)) inputs.add(input);
      for (const { path: next } of output.imports) visit(next);
    };
    for (const source of from) visit(outputOf(source));
    return { files: [...found].map((path) => basename(path)), inputs };
  };
  return {
    names: Object.fromEntries(sources.map((source) => [assetName(source), basename(outputOf(source))])),
    files: compressed(outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: contents }))),
    reach,
  };
}

const compressed = (files: readonly { readonly name: string; readonly bytes: Uint8Array }[]): AssetFile[] =>
  files.map(({ name, bytes }) => ({ name, compressed: gzipSync(bytes, { level: 9 }) }));

// functions/documents/pages/browser/action.ts -> documents-action.js
const assetName = (source: string): string =>
  `${assetStem(source)}${extname(source) === '.ts' ? '.js' : extname(source)}`;

function assetStem(source: string): string {
  const [, service] = /^functions\/([^/]+)\//.exec(source) ?? [];
  const name = basename(source, extname(source));
  return service ? `${service}-${name}` : name;
}

// Fonts for documents that bring none of their own, and the tables of East Asian encodings.
const DATA = ['standard_fonts/*.{pfb,ttf}', 'cmaps/*.bcmap'];

/** The files that pdf.js asks for by name where a document needs them. Browsers load no others. */
function pdfDataFiles(): { readonly name: string; readonly bytes: Uint8Array }[] {
  const description = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version: string };
  const folder = dirname(description);
  return globSync(DATA, { cwd: folder })
    .toSorted()
    .map((path) => ({ name: pdfDataName(version, path), bytes: readFileSync(join(folder, path)) }));
}
