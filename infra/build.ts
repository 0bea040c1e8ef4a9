import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { SERVICES } from '../shared/settings/names.ts';
import { type Assets, buildAssets, servedBy } from './assets.ts';
import { bundle, type Code } from './bundle.ts';
import { type FunctionFile, functionFiles, threadFiles } from './function-files.ts';
import { TRUST_FILES } from './plugins/trust.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');

// Zip has no time before 1980 and no time zone. One date for all: the same code gives the same bytes everywhere, and an
// unchanged function is not deployed again.
const ZIP_DATE = new Date(1980, 0, 2);

/** A file that a function reads at run time. */
type SideFile = { readonly name: string; readonly bytes: Uint8Array };

/** Functions with such files beside their bundles, by name. The files are compressed already. */
const SIDE_FILES: Record<string, (service: string, assets: Assets) => Promise<readonly SideFile[]>> = {
  'get-reference': async () => [{ name: 'scalar.js.gz', bytes: await readFile(await referencePage()) }],
  'get-asset': async (service, assets) =>
    servedBy(service, assets).map(({ name, compressed }) => ({
      name: `assets/${name}.gz`,
      bytes: compressed,
    })),
};

export type BuildOptions = {
  /** Shares code between all services; otherwise each function is minified, and zipped with its source maps. */
  local: boolean;
  /** Bundles go to `<outdir>/dist/<service>/<name>.mjs`, zips to `<outdir>/dist/<service>.<name>.zip`. */
  outdir: string;
  /** Only these; all by default. */
  services?: string[];
  /** Where `functions/` is. */
  root?: string;
};

export type Bundle = Code & {
  readonly service: string;
  readonly name: string;
  /** Its own file, which holds the handler. */
  readonly file: string;
  /** The bytes that a cold start reads. */
  readonly bytes: number;
};

/**
 * Bundles functions/<service>/{endpoints,workers}/<name>.ts, each with all that it imports in a zip of its own.
 * @example await build({ local: true, outdir: '.local/build' })
 */
export async function build({ local, outdir, services, root = REPOSITORY }: BuildOptions): Promise<Bundle[]> {
  const dist = resolve(outdir, 'dist');
  const names: string[] = services ?? [...SERVICES, ...(local ? ['sandbox'] : [])];
  const ofThese = (files: FunctionFile[]) => files.filter(({ service }) => names.includes(service));
  const [functions, threads] = [ofThese(functionFiles(root)), ofThese(threadFiles(root))];
  const [assets, trust] = [await buildAssets(root, names), await trustFiles(root)];
  await clean(dist, services);
  // Pages refer to the assets of the same build.
  const define = { SINETE_ASSETS: JSON.stringify(assets.names) };
  const code = await bundle({ functions, threads }, { root, dist, local, define });
  return Promise.all(
    functions.map((file, at) => finish(dist, file, { ...(code[at] ?? NO_CODE), local, assets, trust })),
  );
}

const NO_CODE: Code = { first: [], later: [] };

async function clean(dist: string, services: string[] | undefined): Promise<void> {
  const stale = services?.flatMap((service) => [service, ...globSync(`${service}.*`, { cwd: dist })]);
  await Promise.all((stale ?? ['.']).map((path) => rm(join(dist, path), { recursive: true, force: true })));
}

type BuiltCode = Code & {
  readonly local: boolean;
  readonly assets: Assets;
  readonly trust: readonly SideFile[];
};

/** The roots to trust. They are too large for a function's settings, which hold their names only. */
async function trustFiles(root: string): Promise<SideFile[]> {
  const names = globSync(TRUST_FILES, { cwd: root }).toSorted();
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(root, name)) })));
}

async function finish(dist: string, { service, name }: FunctionFile, built: BuiltCode): Promise<Bundle> {
  const { first, later, local, assets, trust } = built;
  // A function runs in the folder that its zip is unpacked to.
  const zipped: Zippable = Object.fromEntries(trust.map((file) => [file.name, file.bytes]));
  for (const { path } of local ? [] : [...first, ...later]) {
    for (const file of [path, `${path}.map`]) zipped[`dist/${file}`] = await readFile(join(dist, file));
  }
  for (const { name: path, bytes } of (await SIDE_FILES[name]?.(service, assets)) ?? []) {
    await mkdir(dirname(join(dist, service, path)), { recursive: true });
    await writeFile(join(dist, service, path), bytes);
    zipped[`dist/${service}/${path}`] = [bytes, { level: 0 }];
  }
  // The zip's own name holds the service: the framework uploads by file name alone, and two services'
  // get-status.zip would silently become one.
  if (!local) await writeFile(join(dist, `${service}.${name}.zip`), zipSync(zipped, { mtime: ZIP_DATE }));
  const bytes = first.reduce((sum, file) => sum + file.bytes, 0);
  return { service, name, file: join(dist, service, `${name}.mjs`), bytes, first, later };
}

/** The API reference page's script, compressed once: 4 MB that no function should compress at run time. */
function referencePage(): Promise<string> {
  compressing ??= compressReferencePage();
  return compressing;
}

let compressing: Promise<string> | undefined;

async function compressReferencePage(): Promise<string> {
  const page = join(REPOSITORY, 'node_modules/@scalar/api-reference');
  const { version } = JSON.parse(await readFile(join(page, 'package.json'), 'utf8')) as { version: string };
  const kept = join(REPOSITORY, 'node_modules/.cache/sinete', `scalar-${version}.js.gz`);
  if (existsSync(kept)) return kept;

  const script = await readFile(join(page, 'dist/browser/standalone.js'));
  await mkdir(dirname(kept), { recursive: true });
  // Renamed into place, so that a build running beside this one never reads half of it.
  const making = `${kept}.${process.pid}`;
  await writeFile(making, gzipSync(script, { level: 9 }));
  await rename(making, kept);
  return kept;
}

if (import.meta.main) {
  try {
    const bundles = await build({ local: false, outdir: REPOSITORY });
    console.log(`Built ${bundles.length} functions into dist/.`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
