import { existsSync, globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { type Zippable, zipSync } from 'fflate';
import { SERVICES } from '../shared/settings/names.ts';
import { type FunctionFile, functionFiles } from './function-files.ts';

const HOUSE = resolve(import.meta.dirname, '..');

// Zip knows no time before 1980, and no time zone. One local date for all: the same code gives the same bytes
// everywhere, and an unchanged function is not deployed again.
const ZIP_DATE = new Date(1980, 0, 2);

/** Files that a function reads at run time from beside its bundle, by the function's name. */
const BESIDE: Record<string, { name: string; make: () => Promise<string> }> = {
  'get-reference': { name: 'scalar.js.gz', make: referencePage },
};

export type Build = {
  /** Shares code between functions and keeps source maps; otherwise each is minified on its own, and zipped. */
  local: boolean;
  /** Bundles go to `<outdir>/dist/<service>/<name>.mjs`, zips to `<outdir>/dist/<service>.<name>.zip`. */
  outdir: string;
  /** Only these; all by default. */
  services?: string[];
  /** Where `functions/` is. */
  root?: string;
};

export type Bundle = { service: string; name: string; file: string; bytes: number };

/**
 * Bundles functions/<service>/{endpoints,workers}/<name>.ts, one bundle a function.
 * @example await build({ local: true, outdir: '.local/build' })
 */
export async function build({ local, outdir, services, root = HOUSE }: Build): Promise<Bundle[]> {
  const dist = resolve(outdir, 'dist');
  const wanted: string[] = services ?? [...SERVICES, ...(local ? ['sandbox'] : [])];
  const sources = functionFiles(root).filter(({ service }) => wanted.includes(service));
  await clean(dist, services);
  await bundle(root, dist, sources, local);
  return Promise.all(sources.map((source) => finish(dist, source, local)));
}

async function clean(dist: string, services: string[] | undefined): Promise<void> {
  const stale = services?.flatMap((service) => [service, ...globSync(`${service}.*.zip`, { cwd: dist })]);
  await Promise.all((stale ?? ['.']).map((path) => rm(join(dist, path), { recursive: true, force: true })));
}

/** One call for all of them: each shared file is then parsed once, not once a function. */
async function bundle(
  root: string,
  dist: string,
  sources: readonly FunctionFile[],
  local: boolean,
): Promise<void> {
  const options: esbuild.BuildOptions = {
    absWorkingDir: root,
    entryPoints: sources.map(({ service, name, path }) => ({ in: path, out: `${service}/${name}` })),
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: local,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    // By default the AWS SDK's CommonJS build is taken, of which nothing can be left out.
    mainFields: ['module', 'main'],
    target: 'node24',
    format: 'esm',
    minify: !local,
    keepNames: !local, // errors are told apart by their names
    sourcemap: local ? 'linked' : false,
    legalComments: 'none',
    // CommonJS dependencies call require(), which an ES module lacks.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'silent',
  };
  try {
    await esbuild.build(options);
  } catch (error) {
    throw new Error(firstMessage(error as esbuild.BuildFailure), { cause: error });
  }
}

function firstMessage({ errors, message }: Partial<esbuild.BuildFailure>): string {
  const [first, ...others] = errors ?? [];
  if (!first) return `The build failed: ${message}`;
  const { file, line, column } = first.location ?? {};
  const where = file ? `${file}:${line}:${(column ?? 0) + 1}: ` : '';
  return `The build failed: ${where}${first.text}${others.length ? ` (and ${others.length} more)` : ''}`;
}

async function finish(dist: string, { service, name }: FunctionFile, local: boolean): Promise<Bundle> {
  const file = join(dist, service, `${name}.mjs`);
  const code = await readFile(file);
  const beside = BESIDE[name];
  const zipped: Zippable = { [`dist/${service}/${name}.mjs`]: code };
  if (beside) {
    const made = await beside.make();
    await copyFile(made, join(dist, service, beside.name));
    zipped[`dist/${service}/${beside.name}`] = [await readFile(made), { level: 0 }]; // compressed already
  }
  // The zip's own name holds the service: the framework uploads by file name alone, and two services'
  // get-status.zip would silently become one.
  if (!local) await writeFile(join(dist, `${service}.${name}.zip`), zipSync(zipped, { mtime: ZIP_DATE }));
  return { service, name, file, bytes: code.length };
}

/** The API reference page's script, compressed once: 4 MB that no function should compress at run time. */
function referencePage(): Promise<string> {
  compressing ??= compressReferencePage();
  return compressing;
}

let compressing: Promise<string> | undefined;

async function compressReferencePage(): Promise<string> {
  const page = join(HOUSE, 'node_modules/@scalar/api-reference');
  const { version } = JSON.parse(await readFile(join(page, 'package.json'), 'utf8')) as { version: string };
  const kept = join(HOUSE, 'node_modules/.cache/sinete', `scalar-${version}.js.gz`);
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
    const bundles = await build({ local: false, outdir: HOUSE });
    console.log(`Built ${bundles.length} functions into dist/.`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
